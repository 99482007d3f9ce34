#include "program/symmetry/asymmetries.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "program/can_fail.h"
#include "program/symmetry/element_numbers.h"
#include "program/symmetry/identity_groups.h"
#include "program/symmetry/turn_order.h"
#include "program/walk.h"

namespace spillway::program {
namespace {

bool is_number(const Type* type) {
  return type == nullptr || type->truth || (type->is_scalar() && type->names.empty());
}

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program), groups_(program) {}

  std::vector<Asymmetry> run() {
    for (const Type& type : program_.types) examine(type);
    TurnOrder order = turn_order();
    const auto rule = [&](const Rule& one) {
      examine(one.header, one.guard.get(), one.body);
      order.examine(one);
    };
    const auto property = [&](const Property& one) {
      examine(one.header, one.condition.get(), {});
      order.examine(one);
    };
    // Starts need not be symmetric: the images of a state reach the images of what it reaches.
    std::for_each(program_.rules.begin(), program_.rules.end(), rule);
    std::for_each(program_.properties.begin(), program_.properties.end(), property);
    if (program_.accepting) property(*program_.accepting);
    if (program_.failure_state) rule(*program_.failure_state);
    examine_called();
    std::vector<Asymmetry> all;
    for (auto& [group, found] : found_) all.push_back(std::move(found));
    return all;
  }

  std::optional<Asymmetry> run(const Property& proposition) {
    examine(proposition.header, proposition.condition.get(), {});
    turn_order().examine(proposition);
    examine_called();
    return found_.empty() ? std::nullopt : std::optional(found_.begin()->second);
  }

 private:
  struct Look;

  TurnOrder turn_order() {
    return {
        program_, [this](const Loop& loop) { return !groups_of(loop).empty(); },
        [this](const Loop& loop, std::string why) { blame(groups_of(loop), loop.position, why); }};
  }

  void examine_called() {
    for (const FunctionIndex function : called_) {
      const Function& one = program_.functions[function];
      examine(one.frame, one.body, one.result);
    }
  }

  void blame(const Groups& groups, Position position, const std::string& why) {
    for (const std::size_t group : groups)
      found_.try_emplace(group, Asymmetry{group, position, why});
  }

  Groups groups_of(const Loop& loop) {
    if (loop.bag != nullptr) return groups_.order_of(*loop.bag->element);
    if (loop.range == nullptr) return groups_.all();
    if (loop.range->type != nullptr) return groups_.of(*loop.range->type);
    return loop.range->unordered ? groups_.all() : Groups{};
  }

  void examine(const Type& type) {
    if (!type.is_scalar() || type.truth) return;
    for (std::size_t g = 0; g < program_.symmetries.size(); ++g) {
      const Interval& all = program_.symmetries[g].identities;
      for (const Names& names : type.names)
        if (groups_.counts(g) && names.interval.low <= all.high && all.low <= names.interval.high &&
            names.interval != all)
          blame({g}, {},
                fmt::format("the type '{}' contains only some of its identities", type.name));
    }
    if (type.total)
      blame(groups_.first_of(type), {},
            fmt::format("variables of type '{}' start with the first identity", type.name));
  }

  void examine(const Header& header, const Expr* condition, const Body& body);
  void examine(const Frame& frame, const Body& body, const Type* result);
  void examine(const Header& header, const Parameter& parameter);

  const Program& program_;
  IdentityGroups groups_;
  std::map<std::size_t, Asymmetry> found_;
  std::set<FunctionIndex> called_;  // by rules and properties
};

// Visits all parts of a rule, property or function.
struct Checker::Look : Visitor {
  Look(Checker& checker, const Frame& of, const Type* returned)
      : check(checker),
        frame(of),
        result(returned),
        numbers(checker.program_, of, [&checker](const Type& bag, Position position, auto& why) {
          checker.blame(checker.groups_.order_of(*bag.element), position, why);
        }) {}

  void operator()(const Expr& expr) {
    const auto operand = [&](std::size_t i) -> const Expr& { return *expr.operands[i]; };
    switch (expr.op) {
      case Op::literal:
        if (expr.type == nullptr) break;
        for (const std::size_t g : check.groups_.of(*expr.type))
          if (const Interval& all = check.program_.symmetries[g].identities;
              all.low <= expr.value && expr.value <= all.high)
            check.blame({g}, expr.position, "this names one particular identity");
        break;
      case Op::slot: numbers.used(expr.slot); break;
      case Op::call: {
        const Function& function = check.program_.functions[expr.function];
        called.insert(expr.function);
        for (std::size_t i = 0; i < function.parameters; ++i)
          if (expr.arguments[i].value) flows(*expr.arguments[i].value, function.frame[i].type);
        break;
      }
      case Op::equal:
      case Op::unequal:
        flows(operand(0), type_of(operand(1)));
        flows(operand(1), type_of(operand(0)));
        if (operand(0).op == Op::slot && operand(1).op == Op::slot)
          numbers.compared(operand(0).slot, operand(1).slot);
        break;
      case Op::logical_not:
      case Op::logical_and:
      case Op::logical_or:
      case Op::implies:
      case Op::is_member: break;
      case Op::conditional:
        flows(operand(1), type_of(operand(2)));
        flows(operand(2), type_of(operand(1)));
        break;
      case Op::for_all:
      case Op::exists:
        if (expr.range.type != nullptr && !expr.range.unordered &&
            can_fail(operand(0), frame, check.program_))
          check.blame(check.groups_.of(*expr.range.type), expr.position,
                      "it stops at the first identity that decides it");
        if (expr.range.type == nullptr) numbers.takes(expr.slot, expr.range);
        break;
      case Op::bag_count: numbers.visits(expr.slot, *expr.place, expr.position); break;
      case Op::read:
      case Op::is_undefined: break;
      default:
        for (const ExprPtr& one : expr.operands)
          check.blame(values(*one), expr.position, "identities have no order and are not numbers");
    }
  }

  void operator()(const Place& place) {
    const Type* type =
        place.in_state ? check.program_.variables[place.root].type : frame[place.root].type;
    for (std::size_t i = 0; i < place.steps.size(); ++i) {
      const Selector& step = place.steps[i];
      if (!step.index) {
        type = type->fields[step.field].type;
        continue;
      }
      if (type->kind == Kind::array)
        flows(*step.index, type->index);
      else
        numbers.element(*step.index, place, i, *type);
      type = type->element;
    }
  }

  void operator()(const Statement& s) {
    switch (s.what) {
      case Do::assign: flows(*s.value, s.place->type); break;
      case Do::bind_value: flows(*s.value, frame[s.slot].type); break;
      case Do::clear:
        check.blame(check.groups_.first_of(*s.place->type), s.position,
                    "'clear' sets it to the first identity");
        break;
      case Do::leave:
        if (s.value) flows(*s.value, result);
        break;
      case Do::bag_add:
        flows(*s.value, s.place->type->element);
        numbers.added(*s.place->type);
        break;
      case Do::bag_remove:
        numbers.element(*s.value, *s.place, s.place->steps.size(), *s.place->type);
        if (s.value->op == Op::slot) numbers.removed(*s.place->type, s.value->slot);
        break;
      case Do::bag_remove_if:
        numbers.visits(s.slot, *s.place, s.position);
        numbers.swept(*s.place->type);
        break;
      default: break;
    }
  }

  const Type* type_of(const Expr& expr) const {
    switch (expr.op) {
      case Op::literal: return expr.type;
      case Op::slot: return frame[expr.slot].type;
      case Op::read: return expr.place->type;
      case Op::call: return check.program_.functions[expr.function].result;
      case Op::conditional: {
        const Type* yes = type_of(*expr.operands[1]);
        return is_number(yes) ? type_of(*expr.operands[2]) : yes;
      }
      default: return nullptr;
    }
  }

  Groups values(const Expr& expr) const {
    if (expr.op == Op::conditional) {
      Groups both = values(*expr.operands[1]);
      both.merge(values(*expr.operands[2]));
      return both;
    }
    const Type* type = type_of(expr);
    return type != nullptr && type->is_scalar() ? check.groups_.of(*type) : Groups{};
  }

  // Identities must stay identities, and numbers must not become identities.
  void flows(const Expr& from, const Type* to) {
    constexpr const char* kWhy = "an identity is mixed with a number";
    if (to != nullptr && !to->is_scalar()) return;
    if (is_number(to)) return check.blame(values(from), from.position, kWhy);
    if (is_number(type_of(from))) check.blame(check.groups_.of(*to), from.position, kWhy);
  }

  Checker& check;
  const Frame& frame;
  const Type* result;
  ElementNumbers numbers;
  std::set<FunctionIndex> called;
};

void Checker::examine(const Header& header, const Expr* condition, const Body& body) {
  for (const Parameter& parameter : header.parameters) examine(header, parameter);
  Look look(*this, header.frame, nullptr);
  walk(header.bindings, look);
  if (condition != nullptr) walk(*condition, look);
  walk(body, look);
  look.numbers.examine_uses(header.parameters);
  // Functions that the rule calls add and remove elements as well.
  std::set<FunctionIndex> met;
  std::vector<FunctionIndex> next(look.called.begin(), look.called.end());
  while (!next.empty()) {
    const FunctionIndex index = next.back();
    next.pop_back();
    if (!met.insert(index).second) continue;
    const Function& function = program_.functions[index];
    Look inside(*this, function.frame, function.result);
    walk(function.body, inside);
    look.numbers.include(inside.numbers);
    next.insert(next.end(), inside.called.begin(), inside.called.end());
  }
  called_.merge(met);
  look.numbers.examine_removals(header.parameters);
}

void Checker::examine(const Frame& frame, const Body& body, const Type* result) {
  Look look(*this, frame, result);
  walk(body, look);
  look.numbers.examine_uses({});
}

void Checker::examine(const Header& header, const Parameter& parameter) {
  const Type* type = header.frame[parameter.slot].type;
  if (type == nullptr) return;
  const std::set<Value> values(parameter.values.begin(), parameter.values.end());
  for (const std::size_t g : groups_.of(*type)) {
    const Interval& all = program_.symmetries[g].identities;
    const auto size = static_cast<std::size_t>(all.high - all.low) + 1;
    const auto some = static_cast<std::size_t>(
        std::distance(values.lower_bound(all.low), values.upper_bound(all.high)));
    if (some != 0 && (some != size || values.size() != parameter.values.size()))
      blame({g}, header.position, "this involves some of its identities, but not all of them");
  }
}

}  // namespace

std::vector<Asymmetry> asymmetries(const Program& program) {
  if (program.symmetries.empty()) return {};
  return Checker(program).run();
}

std::optional<Asymmetry> asymmetry(const Program& program, const Property& proposition) {
  if (program.symmetries.empty()) return std::nullopt;
  return Checker(program).run(proposition);
}

}  // namespace spillway::program
