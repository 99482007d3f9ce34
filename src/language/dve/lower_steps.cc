// The effects of transitions.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "language/build.h"
#include "language/dve/step_lowering.h"

namespace spillway::dve {

using program::Do;

// The local state changes first.  The effects follow in order.
void StepLowering::add_effects(const Move& move, Body& out) {
  if (move.from != move.to) {
    const Position position = move.node->to.position;
    assign(place(move.process->index, position), literal(move.to, move.process->type, position),
           position, out);
  }
  for (const Assignment& one : move.effects)
    assign(again(one.target), again(*one.value), one.position, out);
}

// A variable that two transitions assign in the same step; nullptr if there is none.
const Symbol* StepLowering::written_twice(const JointMove& step) {
  std::unordered_map<const Symbol*, const Move*> writers;
  for (const Move* move : step.moves)
    for (const Assignment& one : move->effects)
      if (writers.emplace(one.symbol, move).first->second != move) return one.symbol;
  return nullptr;
}

void StepLowering::lower_body(const JointMove& step, const Move* property, program::Rule& rule) {
  const Move& first = *step.moves[0];
  const bool legacy = options_.errors == DveErrors::legacy;
  if (const Symbol* symbol = synchronous_ || legacy ? written_twice(step) : nullptr) {
    rule.body.push_back(statement(Do::fail, first.node->position));
    rule.body.back()->text =
        fmt::format("two processes assign {} at once", quoted(symbol->name.text));
    return;
  }
  if (synchronous_)
    lower_simultaneous(step, rule.header.frame, rule.body);
  else if (step.pair)
    lower_pair(first, *step.moves[1], rule.header.frame, rule.body);
  else
    lower_single(first, rule.header.frame, rule.body);
  if (property != nullptr) add_effects(*property, rule.body);
}

// The receiver's effects come before the sender's.  The message is computed before anything
// changes.
void StepLowering::lower_pair(const Move& sender, const Move& receiver, Frame& frame, Body& out) {
  exchange(sender, receiver, frame, out);
  add_effects(receiver, out);
  add_effects(sender, out);
}

// The first interpreter executes the effects before the channel operation, all other tools after
// it. Even there, the places for received values are computed in the state before.
void StepLowering::lower_single(const Move& move, Frame& frame, Body& out) {
  if (move.channel == nullptr) return add_effects(move, out);
  if (options_.errors != DveErrors::legacy) {
    operate(move, again_all(move.targets), frame, out);
    return add_effects(move, out);
  }
  std::vector<Place> targets = again_all(move.targets);
  for (Place& target : targets) bind_indices(target, frame, out);
  add_effects(move, out);
  operate(move, std::move(targets), frame, out);
}

// No process sees what the others do.  A variable that was changed before is read from a copy.
void StepLowering::lower_simultaneous(const JointMove& step, Frame& frame, Body& out) {
  std::set<std::uint32_t> changed;
  Copies copies;
  Body effects;
  for (const Move* move : step.moves) {
    const auto begin = static_cast<std::ptrdiff_t>(effects.size());
    add_effects(*move, effects);
    for (auto one = effects.begin() + begin; one != effects.end(); ++one) {
      for (program::Selector& way : (*one)->place->steps)
        read_copies(*way.index, changed, copies, frame, out);
      read_copies(*(*one)->value, changed, copies, frame, out);
    }
    for (auto one = effects.begin() + begin; one != effects.end(); ++one)
      changed.insert((*one)->place->root);
  }
  std::move(effects.begin(), effects.end(), std::back_inserter(out));
}

void StepLowering::read_copies(Expr& expr, const std::set<std::uint32_t>& changed, Copies& copies,
                               Frame& frame, Body& out) {
  for (const ExprPtr& operand : expr.operands) read_copies(*operand, changed, copies, frame, out);
  for (const program::Argument& argument : expr.arguments)
    read_copies(*argument.value, changed, copies, frame, out);
  if (!expr.place) return;
  for (const program::Selector& way : expr.place->steps)
    if (way.index) read_copies(*way.index, changed, copies, frame, out);
  if (!expr.place->in_state || !changed.contains(expr.place->root)) return;
  const auto [known, fresh] =
      copies.emplace(expr.place->root, static_cast<program::SlotIndex>(frame.size()));
  if (fresh) {
    Place whole = place(expr.place->root, expr.position);
    frame.push_back({program_.variables[whole.root].name, whole.type, program::Holds::value});
    out.push_back(statement(Do::bind_value, expr.position));
    out.back()->slot = known->second;
    out.back()->value = read_place(std::move(whole));
  }
  expr.place->in_state = false;
  expr.place->root = known->second;
}

}  // namespace spillway::dve
