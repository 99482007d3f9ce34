#include "language/build.h"
#include "language/murphi/lowering.h"

namespace spillway::murphi {

// A rule fires only if no rule with a smaller number is enabled.  Its guard gets this condition.
void Lowering::lower_priorities() {
  for (const PlacedRule& placed : placed_rules_) {
    program::Rule& rule = program_.rules[placed.index];
    context_ = Context{.frame = &rule.header.frame, .pure = true};
    std::vector<ExprPtr> conditions;
    if (rule.guard != nullptr) conditions.push_back(std::move(rule.guard));
    for (const PlacedRule& other : placed_rules_) {
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
program::ExprPtr Lowering::is_enabled(const PlacedRule& rule) {
  struct Counter {
    SlotIndex slot;
    program::Range range;
  };
  std::vector<Counter> counters;
  std::vector<ExprPtr> conditions;
  const Position position = rule.node->position;
  for (const RuleNode* outer : rule.surrounding) {
    scopes_.push();
    for (const Quantifier& quantifier : outer->quantifiers) {
      counters.emplace_back();
      counters.back().slot = lower_quantifier(quantifier, counters.back().range);
    }
    for (const AliasNode& alias : outer->aliases) {
      bool must_bind = false;
      declare_alias(alias, must_bind);
    }
    if (outer->form != RuleForm::choose) continue;
    const Location bag = bag_of(*outer->guard, false);
    Symbol& symbol = declare(Means::bag_index, outer->element, nullptr);
    symbol.index = slot(outer->element, nullptr, program::Holds::constant);
    counters.emplace_back();
    counters.back().slot = symbol.index;
    counters.back().range.from = literal(0, nullptr, position);
    counters.back().range.unordered = true;
    counters.back().range.to =
        literal(static_cast<Value>(bag.place.type->capacity) - 1, nullptr, position);
    conditions.push_back(element_exists(bag.place, symbol, position));
  }
  conditions.push_back(rule.node->guard == nullptr ? literal(1, types_.truth(), position)
                                                   : lower_truth(*rule.node->guard, "the guard"));
  for (std::size_t i = 0; i < rule.surrounding.size(); ++i) scopes_.pop();
  ExprPtr result = apply_all(Op::logical_and, std::move(conditions), types_.truth(), position);
  for (; !counters.empty(); counters.pop_back()) {
    ExprPtr some = std::make_unique<Expr>();
    some->op = Op::exists;
    some->type = types_.truth();
    some->position = position;
    some->slot = counters.back().slot;
    some->range = std::move(counters.back().range);
    some->operands.push_back(std::move(result));
    result = std::move(some);
  }
  return result;
}

}  // namespace spillway::murphi
