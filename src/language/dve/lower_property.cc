// The product with the property process.
#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/rule_lowering.h"

namespace spillway::dve {

using program::Do;

// Each rule has an instance for each transition of the property process, so that the work of the
// other processes is generated once.  In legacy mode, where a failure is a transition, the
// transition of the property must be known first, so each one has its own rules.
void RuleLowering::lower_property() {
  if (property_ == nullptr || options_.errors == DveErrors::legacy) return;
  const Position position = property_->node->name.position;
  std::vector<std::string> names;
  std::vector<ExprPtr> conditions;
  std::vector<ExprPtr> targets;
  for (const Move& move : property_->moves) {
    if (move.never) continue;
    names.push_back(fmt::format("{} -> {}", move.node->from.text, move.node->to.text));
    std::vector<ExprPtr> all;
    all.push_back(is_at(*property_, move.from, position));
    for (const ExprPtr& guard : move.guards) all.push_back(again(*guard));
    conditions.push_back(guard(std::move(all), position));
    targets.push_back(literal(move.to, property_->type, position));
  }
  const program::Interval numbers{0, static_cast<Value>(names.size()) - 1};
  Type& type = program_.types.emplace_back();
  type.total = true;
  if (!names.empty()) {
    type.domain = program::Domain({numbers});
    type.names.push_back({numbers, std::move(names), {}});
  }
  choices_ = &type;
  allows_ = choice_function("property can move", truth_, std::move(conditions));
  leads_to_ = choice_function("property moves to", property_->type, std::move(targets));
}

// A function from transitions of the property to values.
std::uint32_t RuleLowering::choice_function(std::string name, const Type* result,
                                            std::vector<ExprPtr> values) {
  const Position position = property_->node->name.position;
  program::Function function;
  function.name = std::move(name);
  function.position = position;
  function.frame.push_back({"transition", choices_, program::Holds::constant});
  function.parameters = 1;
  function.result = result;
  auto choose = statement(Do::choose, position);
  for (std::size_t i = 0; i < values.size(); ++i) {
    program::Branch& branch = choose->branches.emplace_back();
    branch.condition = apply(Op::equal, read_slot(0, choices_, position),
                             literal(static_cast<Value>(i), choices_, position), truth_, position);
    branch.body.push_back(statement(Do::leave, position));
    branch.body.back()->value = std::move(values[i]);
  }
  if (!choose->branches.empty()) function.body.push_back(std::move(choose));
  function.body.push_back(statement(Do::leave, position));
  function.body.back()->value = literal(0, result, position);
  return add_function(std::move(function));
}

program::SlotIndex RuleLowering::add_parameter(program::Rule& rule) const {
  const auto slot = static_cast<program::SlotIndex>(rule.header.frame.size());
  rule.header.frame.push_back({property_->node->name.text, choices_, program::Holds::constant});
  program::Parameter& parameter = rule.header.parameters.emplace_back();
  parameter.slot = slot;
  for (const Move& move : property_->moves)
    if (!move.never) parameter.values.push_back(static_cast<Value>(parameter.values.size()));
  return slot;
}

program::ExprPtr RuleLowering::property_call(std::uint32_t function, program::SlotIndex slot,
                                             Position position) const {
  return call(function, read_slot(slot, choices_, position), position);
}

void RuleLowering::move_property(program::Rule& rule, Position position) const {
  ExprPtr target = property_call(leads_to_, rule.header.parameters[0].slot, position);
  assign(place(property_->index, position), std::move(target), position, rule.body);
}

// When the system cannot move, the property process moves alone: a run that ends is treated as one
// that stays where it is.
void RuleLowering::lower_property_alone() {
  if (property_ == nullptr) return;
  const Position position = property_->node->name.position;
  const std::uint32_t can_move = can_move_function();
  const auto stands_still = [&] {
    return apply(Op::logical_not, call(can_move, nullptr, position), truth_, position);
  };
  if (options_.errors != DveErrors::legacy) {
    program::Rule rule;
    rule.header.name = property_->node->name.text + " alone";
    rule.header.position = position;
    rule.guard = apply(Op::logical_and, stands_still(),
                       property_call(allows_, add_parameter(rule), position), truth_, position);
    move_property(rule, position);
    program_.rules.push_back(std::move(rule));
    return;
  }
  for (const Move& move : property_->moves) {
    if (move.never) continue;
    program::Rule rule;
    rule.header.name = name_of({{&move}, false}, nullptr);
    rule.header.position = move.node->position;
    std::vector<ExprPtr> all;
    all.push_back(is_at(*property_, move.from, position));
    for (const ExprPtr& guard : move.guards) all.push_back(again(*guard));
    all.push_back(stands_still());
    rule.guard = guard(std::move(all), position);
    add_effects(move, rule.body);
    program_.rules.push_back(std::move(rule));
  }
}

// Whether some process other than the property process can move.
std::uint32_t RuleLowering::can_move_function() {
  const Position position = property_->node->name.position;
  const auto result = [&](Value value) {
    auto leave = statement(Do::leave, position);
    leave->value = literal(value, truth_, position);
    return leave;
  };
  program::Function function;
  function.name = "system can move";
  function.position = position;
  function.result = truth_;
  for (const JointMove& step : steps_) {
    auto choose = statement(Do::choose, step.moves[0]->node->position);
    program::Branch& branch = choose->branches.emplace_back();
    branch.condition = guard(conditions(step, nullptr), choose->position);
    branch.body.push_back(result(1));
    function.body.push_back(std::move(choose));
  }
  function.body.push_back(result(0));
  return add_function(std::move(function));
}

// The accepting states define which runs are wrong.
std::string RuleLowering::acceptance_name(const ProcessNode& property) {
  return fmt::format("{} accepts no run", property.name.text);
}

void RuleLowering::lower_accepting() {
  if (property_ == nullptr || property_->node->accepting.empty()) return;
  const ProcessNode& node = *property_->node;
  std::vector<Value> states;
  for (const Name& name : node.accepting) states.push_back(state(*property_, name));
  program::Property accepting;
  accepting.header.name = acceptance_name(node);
  accepting.header.position = node.name.position;
  accepting.condition = is_at_one(*property_, states, node.name.position);
  program_.accepting = std::move(accepting);
  // A failure would move the property process, too.
  if (options_.errors != DveErrors::legacy) program_.acceptance_parts = parts(states);
}

// Strongly connected components of the property process, of which those count that have an
// accepting state and a cycle.
program::AcceptanceParts RuleLowering::parts(const std::vector<Value>& accepting) const {
  const std::size_t count = property_->states.size();
  std::vector<std::vector<bool>> reached(count,
                                         std::vector<bool>(count, false));  // by a step or more
  for (std::size_t from = 0; from < count; ++from) {
    std::vector<std::size_t> waiting{from};
    while (!waiting.empty()) {
      const auto at = static_cast<Value>(waiting.back());
      waiting.pop_back();
      for (const Move& move : property_->moves) {
        const auto to = static_cast<std::size_t>(move.to);
        if (move.from != at || reached[from][to]) continue;
        reached[from][to] = true;
        waiting.push_back(to);
      }
    }
  }
  program::AcceptanceParts parts;
  parts.variable = property_->index;
  parts.of_value.assign(count, program::AcceptanceParts::kNone);
  for (const Value state : accepting) {
    const auto first = static_cast<std::size_t>(state);
    if (!reached[first][first] || parts.of_value[first] != program::AcceptanceParts::kNone)
      continue;
    for (std::size_t other = 0; other < count; ++other)
      if (reached[first][other] && reached[other][first])
        parts.of_value[other] = static_cast<std::uint32_t>(first);
  }
  return parts;
}

}  // namespace spillway::dve
