#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/lowering.h"

namespace spillway::dve {

using program::Do;

namespace {

std::string assert_name(const AssertNode& node, const ProcessNode& process) {
  return fmt::format("assert in {}, state {}, line {}", process.name.text, node.state.text,
                     node.state.position.line);
}

}  // namespace

// Reports what the property process asks for as not checked.  Without accepting states, it accepts
// nothing.
void Lowering::leave_unchecked(const ProcessNode& property) {
  for (const AssertNode& node : property.asserts)
    program_.unchecked.push_back({assert_name(node, property), false});
  if (!property.accepting.empty()) program_.unchecked.push_back({acceptance_name(property), true});
}

void Lowering::lower_asserts(const Process& process) {
  context_ = &process;
  for (const AssertNode& node : process.node->asserts)
    attempt([&] { lower_assert(process, node); });
  context_ = nullptr;
}

void Lowering::lower_assert(const Process& process, const AssertNode& node) {
  const Position position = node.state.position;
  program::Property property;
  property.kind = program::PropertyKind::invariant;
  property.header.name = assert_name(node, *process.node);
  property.header.position = position;
  const Value state = this->state(process, node.state);
  ExprPtr condition = lower_truth(*node.condition);
  property.condition =
      apply(Op::implies, is_at(process, state, position), std::move(condition), truth_, position);
  program_.properties.push_back(std::move(property));
}

// Everything is zero, except that the first process is in an extra state.  The other processes may
// move on from there.
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
