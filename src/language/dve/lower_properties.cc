#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/lowering.h"

namespace spillway::dve {

using program::Do;

// Where the system stands still the property process moves alone: a run that ends is one that stays where it is.
void Lowering::lower_property_alone() {
  if (property_ == nullptr) return;
  const std::uint32_t can_move = can_move_function();
  for (const Move& move : property_->moves) {
    if (move.never) continue;
    const Position position = move.node->position;
    const Step alone{{&move}, false};
    program::Rule rule;
    rule.header.name = name_of(alone, nullptr);
    rule.header.position = position;
    std::vector<ExprPtr> all;
    all.push_back(is_at(*property_, move.from, position));
    for (const ExprPtr& guard : move.guards) all.push_back(again(*guard));
    auto call = std::make_unique<Expr>();
    call->op = Op::call;
    call->type = truth_;
    call->position = position;
    call->function = can_move;
    all.push_back(apply(Op::logical_not, std::move(call), truth_, position));
    rule.guard = guard(std::move(all), position);
    if (move.from != move.to)
      assign(place(property_->index, position), literal(move.to, property_->type, position), position, rule.body);
    program_.rules.push_back(std::move(rule));
  }
}

// Whether some process other than the property process can move.
std::uint32_t Lowering::can_move_function() {
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
  for (const Step& step : steps_) {
    auto choose = statement(Do::choose, step.moves[0]->node->position);
    program::Branch& branch = choose->branches.emplace_back();
    branch.condition = guard(conditions(step, nullptr), choose->position);
    branch.body.push_back(result(1));
    function.body.push_back(std::move(choose));
  }
  function.body.push_back(result(0));
  program_.functions.push_back(std::move(function));
  return static_cast<std::uint32_t>(program_.functions.size() - 1);
}

void Lowering::lower_accepting() {
  if (property_ == nullptr) return;
  const ProcessNode& node = *property_->node;
  std::vector<Value> states;
  for (const Name& name : node.accepting) states.push_back(state(*property_, name));
  program::Property accepting;
  accepting.header.name = fmt::format("{} accepts", node.name.text);
  accepting.header.position = node.name.position;
  accepting.condition = is_at_one(*property_, states, node.name.position);
  program_.accepting = std::move(accepting);
}

void Lowering::lower_asserts(const Process& process) {
  context_ = &process;
  for (const AssertNode& node : process.node->asserts) {
    const Position position = node.state.position;
    program::Property property;
    property.kind = program::PropertyKind::invariant;
    property.header.name =
        fmt::format("assert in {}, state {}, line {}", process.node->name.text, node.state.text, position.line);
    property.header.position = position;
    ExprPtr at = is_at(process, state(process, node.state), position);
    property.condition = apply(Op::implies, std::move(at), lower_truth(*node.condition), truth_, position);
    program_.properties.push_back(std::move(property));
  }
  context_ = nullptr;
}

// Everything is zero, but the first process is in a state that it does not have.  The others may move on from there.
void Lowering::lower_failure_state() {
  if (options_.errors != DveErrors::legacy) return;
  program::Rule rule;
  rule.header.name = "error";
  const Process& first = processes_.front();
  const Position position = first.node->name.position;
  rule.header.position = position;
  for (std::uint32_t i = 0; i < program_.variables.size(); ++i)
    if (i != first.index) set_to_zero(place(i, position), rule.header.frame, rule.body);
  ExprPtr nowhere = literal(static_cast<Value>(first.states.size()), first.type, position);
  assign(place(first.index, position), std::move(nowhere), position, rule.body);
  program_.failure_state = std::move(rule);
}

}  // namespace spillway::dve
