#include <algorithm>
#include <utility>

#include "language/build.h"
#include "language/murphi/rule_lowering.h"

namespace spillway::murphi {

// A rule fires only if no rule with a smaller number is enabled.  Its guard gets this condition.
void RuleLowering::lower_priorities() {
  for (PlacedRule& placed : placed_rules_) {
    program::Rule& rule = program_.rules[placed.index];
    context_ = Context{.frame = &rule.header.frame, .pure = true};
    std::vector<ExprPtr> conditions;
    if (rule.guard != nullptr) conditions.push_back(std::move(rule.guard));
    for (PlacedRule& other : placed_rules_) {
      if (other.node->priority >= placed.node->priority) continue;
      ExprPtr enabled = is_enabled(other);
      expand(weight(*enabled), placed.node->position);
      conditions.push_back(
          apply(Op::logical_not, std::move(enabled), types_.truth(), placed.node->position));
    }
    if (!conditions.empty())
      rule.guard =
          apply_all(Op::logical_and, std::move(conditions), types_.truth(), placed.node->position);
  }
  context_ = {};
}

// Whether some instance of a rule is enabled, as an expression in the frame of another rule.
program::ExprPtr RuleLowering::is_enabled(PlacedRule& rule) {
  const std::size_t end = bound_surroundings(rule);
  if (end == 0) return some_instance(rule, 0);
  ExprPtr call = new_expr(Op::call, types_.truth(), rule.node->position);
  call->function = question(rule, end);
  std::vector<Question> questions;
  for (std::size_t level = 0; level < end; ++level) {
    scopes_.push();
    for (const Quantifier& quantifier : rule.surrounding[level]->quantifiers) {
      Question& one = questions.emplace_back();
      one.slot = lower_quantifier(quantifier, one.range);
      call->arguments.emplace_back().value =
          read_slot(one.slot, one.range.type, rule.node->position);
    }
  }
  for (std::size_t level = 0; level < end; ++level) scopes_.pop();
  return asked_of_some(std::move(questions), std::move(call));
}

// The surroundings up to the last one with an alias that has to be bound before the guard is
// evaluated.  What depends on an element of a multiset is not bound there.
std::size_t RuleLowering::bound_surroundings(const PlacedRule& rule) {
  const auto has_aliases = [](const RuleNode* outer) { return !outer->aliases.empty(); };
  if (std::ranges::none_of(rule.surrounding, has_aliases)) return 0;
  std::size_t end = 0;
  std::size_t level = 0;
  for (bool exists = false; level < rule.surrounding.size() && !exists; ++level) {
    const RuleNode& outer = *rule.surrounding[level];
    scopes_.push();
    for (const Quantifier& quantifier : outer.quantifiers) {
      program::Range range;
      lower_quantifier(quantifier, range);
    }
    for (const AliasNode& alias : outer.aliases) {
      bool must_bind = false;
      declare_alias(alias, must_bind);
      if (must_bind) end = level + 1;
    }
    exists = outer.form == RuleForm::choose;
  }
  for (; level > 0; --level) scopes_.pop();
  return end;
}

// The function that binds the aliases of the surroundings before `end` and decides whether some
// instance within these is enabled.  Its parameters are the counters around them.
program::FunctionIndex RuleLowering::question(PlacedRule& rule, std::size_t end) {
  if (rule.question) return *rule.question;
  const auto index = static_cast<program::FunctionIndex>(program_.functions.size());
  rule.question = index;
  program_.functions.emplace_back();
  functions_.emplace_back();
  program::Frame frame;
  Body body;
  const Context before =
      std::exchange(context_, {.frame = &frame, .function = index, .pure = true});
  std::vector<SlotIndex> parameters;
  for (std::size_t level = 0; level < end; ++level)
    for (const Quantifier& quantifier : rule.surrounding[level]->quantifiers)
      parameters.push_back(slot(
          quantifier.name, quantifier.type == nullptr ? nullptr : resolve_counted(*quantifier.type),
          program::Holds::constant));
  auto parameter = parameters.begin();
  for (std::size_t level = 0; level < end; ++level) {
    scopes_.push();
    for (const Quantifier& quantifier : rule.surrounding[level]->quantifiers) {
      declare(Means::counter, quantifier.name, frame[*parameter].type).index = *parameter;
      ++parameter;
    }
    for (const AliasNode& alias : rule.surrounding[level]->aliases) {
      bool must_bind = false;
      Symbol& symbol = declare_alias(alias, must_bind);
      if (must_bind) bind_symbol(symbol, body);
    }
  }
  body.push_back(statement(program::Do::leave, rule.node->position));
  body.back()->value = some_instance(rule, end);
  for (std::size_t level = 0; level < end; ++level) scopes_.pop();
  context_ = before;
  functions_[index].result = types_.truth();
  functions_[index].complete = true;
  program::Function& function = program_.functions[index];
  function.name = rule.node->has_name ? rule.node->name : "rule";
  function.position = rule.node->position;
  function.frame = std::move(frame);
  function.parameters = parameters.size();
  function.result = types_.truth();
  function.body = std::move(body);
  return index;
}

// Whether some instance is enabled within the surroundings before `first`, which are in scope.
program::ExprPtr RuleLowering::some_instance(const PlacedRule& rule, std::size_t first) {
  std::vector<Question> questions;
  std::vector<ExprPtr> conditions;
  const Position position = rule.node->position;
  for (std::size_t level = first; level < rule.surrounding.size(); ++level) {
    const RuleNode& outer = *rule.surrounding[level];
    scopes_.push();
    for (const Quantifier& quantifier : outer.quantifiers) {
      Question& one = questions.emplace_back();
      one.slot = lower_quantifier(quantifier, one.range);
    }
    for (const AliasNode& alias : outer.aliases) {
      bool must_bind = false;
      declare_alias(alias, must_bind);
    }
    if (outer.form != RuleForm::choose) continue;
    const Location bag = bag_of(*outer.guard, false);
    Symbol& symbol = declare(Means::bag_index, outer.element, nullptr);
    symbol.index = slot(outer.element, nullptr, program::Holds::constant);
    Question& one = questions.emplace_back();
    one.slot = symbol.index;
    one.range.from = literal(0, nullptr, position);
    one.range.unordered = true;
    one.range.to = literal(static_cast<Value>(bag.place.type->capacity) - 1, nullptr, position);
    conditions.push_back(element_exists(bag.place, symbol, position));
  }
  conditions.push_back(rule.node->guard == nullptr ? literal(1, types_.truth(), position)
                                                   : lower_truth(*rule.node->guard, "the guard"));
  for (std::size_t level = first; level < rule.surrounding.size(); ++level) scopes_.pop();
  return asked_of_some(std::move(questions),
                       apply_all(Op::logical_and, std::move(conditions), types_.truth(), position));
}

// Whether the condition holds for some values of the counters, the last of which is the innermost.
program::ExprPtr RuleLowering::asked_of_some(std::vector<Question> questions, ExprPtr condition) {
  for (; !questions.empty(); questions.pop_back()) {
    ExprPtr some = new_expr(Op::exists, types_.truth(), condition->position);
    some->slot = questions.back().slot;
    some->range = std::move(questions.back().range);
    some->operands.push_back(std::move(condition));
    condition = std::move(some);
  }
  return condition;
}

}  // namespace spillway::murphi
