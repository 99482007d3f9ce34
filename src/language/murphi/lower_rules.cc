#include <fmt/format.h>

#include "language/build.h"
#include "language/murphi/rule_lowering.h"

namespace spillway::murphi {
namespace {

constexpr std::uint64_t kMostParameterValues = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostParameterValuesInAll = std::uint64_t{1} << 24;
constexpr std::uint64_t kMostLivenessInstances = 1024;
constexpr std::uint64_t kMostInstances = std::uint64_t{1} << 32;

const char* called(const RuleNode& node) {
  switch (node.form) {
    case RuleForm::rule: return "rule";
    case RuleForm::startstate: return "startstate";
    default: break;
  }
  switch (node.property) {
    case PropertyForm::assume: return "assumption";
    case PropertyForm::cover: return "cover";
    case PropertyForm::liveness: return "liveness";
    default: return "invariant";
  }
}

}  // namespace

void RuleLowering::lower_rules(const RuleNode& node) {
  switch (node.form) {
    case RuleForm::rule:
    case RuleForm::startstate: attempt([&] { lower_rule(node); }); return;
    case RuleForm::property: attempt([&] { lower_property(node); }); return;
    default: break;
  }
  surrounding_.push_back(&node);
  for (const auto& rule : node.rules) lower_rules(*rule);
  surrounding_.pop_back();
}

// Each rule has its own frame, which includes the parameters and aliases around it.
void RuleLowering::surround(const RuleNode& node, Surroundings& around) {
  around.header.name =
      node.has_name ? node.name : fmt::format("{} at line {}", called(node), node.position.line);
  around.header.position = node.position;
  context_ = Context{
      .frame = &around.header.frame, .pure = true, .property = node.form == RuleForm::property};
  for (const RuleNode* outer : surrounding_) {
    expand(1 + outer->quantifiers.size(), node.position);
    scopes_.push();
    switch (outer->form) {
      case RuleForm::ruleset: enter_ruleset(*outer, around); break;
      case RuleForm::choose:
        if (!attempt([&] { enter_choose(*outer, around); })) {
          examine_names(*outer->guard);
          declare_wrong(outer->element);
        }
        break;
      default: enter_aliases(*outer, around); break;
    }
  }
  scopes_.push();
}

void RuleLowering::leave_surroundings() {
  for (std::size_t i = 0; i <= surrounding_.size(); ++i) scopes_.pop();
  context_ = {};
}

void RuleLowering::add_parameter(Surroundings& around, SlotIndex slot, std::vector<Value> values,
                                 Position position) {
  std::uint64_t instances = 0;
  if (__builtin_mul_overflow(around.instances, values.size(), &instances) ||
      instances > kMostInstances)
    source_.give_up(
        position,
        fmt::format("with this parameter, the rule has more than {} instances", kMostInstances));
  around.instances = instances;
  parameter_values_ += values.size();
  if (parameter_values_ > kMostParameterValuesInAll)
    source_.give_up(position,
                    fmt::format("the parameters of all rules together have more than {} values",
                                kMostParameterValuesInAll));
  around.header.parameters.push_back({slot, std::move(values)});
}

void RuleLowering::enter_ruleset(const RuleNode& node, Surroundings& around) {
  for (const Quantifier& quantifier : node.quantifiers) {
    const bool fine = attempt([&] {
      const Type* type = nullptr;
      std::vector<Value> values = parameter_values(quantifier, type);
      Symbol& symbol = declare(Means::counter, quantifier.name, type);
      symbol.index = slot(quantifier.name, type, program::Holds::constant);
      add_parameter(around, symbol.index, std::move(values), quantifier.name.position);
    });
    if (!fine) examine_names(quantifier);
  }
}

std::vector<Value> RuleLowering::parameter_values(const Quantifier& quantifier, const Type*& type) {
  std::vector<Value> values;
  const auto add = [&](Value value) {
    if (values.size() == kMostParameterValues)
      source_.give_up(quantifier.name.position,
                      fmt::format("a parameter has at most {} values", kMostParameterValues));
    values.push_back(value);
  };
  if (quantifier.type != nullptr) {
    type = resolve_counted(*quantifier.type);
    if (!type->is_scalar())
      refuse(
          quantifier.type->position,
          fmt::format("a parameter must have a simple type, but this is {}", types_.shown(type)));
    for (const program::Interval& interval : type->domain.intervals())
      for (Value value = interval.low;; ++value) {
        add(value);
        if (value == interval.high) break;
      }
    return values;
  }
  const Value from = constant_number(*quantifier.from, "the first value of a parameter");
  const Value to = constant_number(*quantifier.to, "the last value of a parameter");
  const Value by =
      quantifier.by == nullptr ? 1 : constant_number(*quantifier.by, "the step of a parameter");
  if (by == 0) refuse(quantifier.by->position, "the step must not be 0");
  if (quantifier.by != nullptr && ((by > 0 && from > to) || (by < 0 && from < to)))
    refuse(quantifier.by->position,
           fmt::format("a step of {} never leads from {} to {}", by, from, to));
  for (Value value = from; by > 0 ? value <= to : value >= to;) {
    add(value);
    if (__builtin_add_overflow(value, by, &value)) break;
  }
  return values;
}

// Makes one instance for each possible element.  The guard checks that the element exists.
void RuleLowering::enter_choose(const RuleNode& node, Surroundings& around) {
  const Location bag = bag_of(*node.guard, false);
  std::vector<Value> values;
  if (bag.place.type->capacity > kMostParameterValues)
    source_.give_up(node.guard->position,
                    fmt::format("a parameter has at most {} values", kMostParameterValues));
  for (std::uint64_t i = 0; i < bag.place.type->capacity; ++i)
    values.push_back(static_cast<Value>(i));
  Symbol& symbol = declare(Means::bag_index, node.element, nullptr);
  symbol.index = slot(node.element, nullptr, program::Holds::constant);
  add_parameter(around, symbol.index, std::move(values), node.position);

  around.elements_exist.push_back(element_exists(bag.place, symbol, node.position));
}

// Whether the multiset has an element with the number that the symbol denotes.
program::ExprPtr RuleLowering::element_exists(const Place& bag, const Symbol& number,
                                              Position position) {
  ExprPtr count = new_expr(Op::bag_count, nullptr, position);
  count->place = copy(bag);
  count->slot = slot({number.name, position}, nullptr, program::Holds::constant);
  count->operands.push_back(apply(Op::equal, read_slot(count->slot, nullptr, position),
                                  read_slot(number.index, nullptr, position), types_.truth(),
                                  position));
  return apply(Op::less, literal(0, nullptr, position), std::move(count), types_.truth(), position);
}

// An alias of a part of an element can only be bound when the element is known to exist.
void RuleLowering::enter_aliases(const RuleNode& node, Surroundings& around) {
  for (const AliasNode& alias : node.aliases) {
    const bool fine = attempt([&] {
      bool must_bind = false;
      Symbol& symbol = declare_alias(alias, must_bind);
      expand(symbol.weight, alias.name.position);
      if (must_bind && around.elements_exist.empty())
        bind_symbol(symbol, around.header.bindings);
      else if (must_bind)
        around.late.push_back(&symbol);
    });
    if (!fine) spoil(alias);
  }
}

void RuleLowering::lower_rule(const RuleNode& node) {
  Surroundings around;
  surround(node, around);
  program::Rule rule;
  std::vector<ExprPtr> conditions = std::move(around.elements_exist);
  if (node.guard != nullptr) {
    conditions.push_back(condition(*node.guard, "the guard"));
    warn_about_guard(*node.guard, *conditions.back(), around.header);
  }
  if (!conditions.empty())
    rule.guard = apply_all(Op::logical_and, std::move(conditions), types_.truth(), node.position);
  context_.pure = false;
  for (Symbol* alias : around.late) bind_symbol(*alias, rule.body);
  lower_locals(node.declarations);
  lower_statements(node.body, rule.body);
  leave_surroundings();
  rule.header = std::move(around.header);
  if (keeps_rules_ && node.form == RuleForm::rule) {
    expand(surrounding_.size(), node.position);
    placed_rules_.push_back({&node, surrounding_, program_.rules.size()});
  }
  (node.form == RuleForm::startstate ? program_.starts : program_.rules).push_back(std::move(rule));
}

// Each instance of a liveness property is a property of its own.  It is not enough to reach some of
// them.
void RuleLowering::lower_property(const RuleNode& node) {
  if (node.property != PropertyForm::liveness) {
    lower_property_instance(node, std::nullopt);
    return;
  }
  std::uint64_t instances = 1;
  for (std::uint64_t number = 0; number < instances; ++number)
    instances = lower_property_instance(node, number);
}

// Restricts the parameters to their values in this instance.
void RuleLowering::restrict_to(std::uint64_t instance, program::Header& header) {
  for (auto parameter = header.parameters.rbegin(); parameter != header.parameters.rend();
       ++parameter) {
    const std::uint64_t count = parameter->values.size();
    parameter->values = {parameter->values[instance % count]};
    instance /= count;
  }
}

// Returns the number of instances.
std::uint64_t RuleLowering::lower_property_instance(const RuleNode& node,
                                                    std::optional<std::uint64_t> instance) {
  Surroundings around;
  surround(node, around);
  program::Property property;
  switch (node.property) {
    case PropertyForm::invariant: property.kind = program::PropertyKind::invariant; break;
    case PropertyForm::assume: property.kind = program::PropertyKind::assumption; break;
    case PropertyForm::cover: property.kind = program::PropertyKind::cover; break;
    case PropertyForm::liveness: property.kind = program::PropertyKind::reachable; break;
  }
  property.condition = condition(*node.guard, "the property");
  if (instance.value_or(0) == 0) warn_about_property(*property.condition, around.header);
  if (!around.elements_exist.empty()) {
    ExprPtr exist =
        apply_all(Op::logical_and, std::move(around.elements_exist), types_.truth(), node.position);
    const bool always =
        node.property == PropertyForm::invariant || node.property == PropertyForm::assume;
    property.condition = apply(always ? Op::implies : Op::logical_and, std::move(exist),
                               std::move(property.condition), types_.truth(), node.position);
  }
  leave_surroundings();
  if (source_.has_errors()) return 0;
  property.header = std::move(around.header);
  if (instance) {
    if (around.instances > kMostLivenessInstances)
      refuse(node.position,
             fmt::format("a liveness property has at most {} instances", kMostLivenessInstances));
    if (around.instances == 0) return 0;
    if (*instance != 0) expand(weight(*property.condition), node.position);
    restrict_to(*instance, property.header);
  }
  program_.properties.push_back(std::move(property));
  return around.instances;
}

}  // namespace spillway::murphi
