#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/dve/rule_lowering.h"

namespace spillway::dve {

void RuleLowering::lower_rules() {
  if (!synchronous_) return lower_asynchronous();
  JointMove step;
  lower_synchronous(0, step);
}

// The rules of a process are adjacent, and so are those that begin in the same state.  Generated
// code relies on it.
void RuleLowering::lower_asynchronous() {
  for (const Process& process : processes_) {
    if (process.property) continue;
    for (const Move& move : process.moves) {
      if (move.never) continue;
      if (move.channel == nullptr || move.channel->buffered()) {
        add_step({{&move}, false});
      } else if (move.sends) {
        for (const Move* receiver : receivers_[move.channel])
          if (receiver->process != &process && (!receiver->never || move.fails) &&
              !receiver->process->property)
            add_step({{&move, receiver}, true});
      }
    }
  }
}

// Combines one transition of each process.  Synchronisation on channels is ignored.  Guards are
// evaluated in this order, so one that is always false matters if one before it may fail.
void RuleLowering::lower_synchronous(std::size_t process, JointMove& step) {
  if (process == processes_.size()) {
    if (!step.moves.empty()) add_step(step);
    return;
  }
  if (processes_[process].property) return lower_synchronous(process + 1, step);
  const bool may_fail = std::ranges::any_of(step.moves, [](const Move* m) { return m->fails; });
  for (const Move& move : processes_[process].moves) {
    if (move.never && !may_fail) continue;
    expand(1, move.node->position);
    step.moves.push_back(&move);
    lower_synchronous(process + 1, step);
    step.moves.pop_back();
  }
}

void RuleLowering::add_step(const JointMove& step) {
  // A process that is not in a committed state has to wait.
  if (!synchronous_ && committed(step) == Committed::some) return;
  if (property_ == nullptr) return add_rule(step, nullptr);
  steps_.push_back(step);
  if (options_.errors != DveErrors::legacy) return add_rule(step, nullptr);
  for (const Move& move : property_->moves)
    if (!move.never) add_rule(step, &move);
}

RuleLowering::Committed RuleLowering::committed(const JointMove& step) const {
  const auto is = [](const Move* move) { return move->process->is_committed(move->from); };
  if (std::none_of(step.moves.begin(), step.moves.end(), is)) return Committed::none;
  return std::all_of(step.moves.begin(), step.moves.end(), is) ? Committed::all : Committed::some;
}

std::vector<program::ExprPtr> RuleLowering::conditions(const JointMove& step,
                                                       const Move* property) {
  std::vector<ExprPtr> all;
  const Position position = step.moves[0]->node->position;
  for (const Move* move : step.moves) all.push_back(is_at(*move->process, move->from, position));
  if (property != nullptr) all.push_back(is_at(*property_, property->from, position));
  if (!synchronous_ && committed(step) == Committed::none)
    for (const Process& other : processes_) {
      const bool moves = std::any_of(step.moves.begin(), step.moves.end(),
                                     [&](const Move* move) { return move->process == &other; });
      if (other.property || other.committed.empty() || moves) continue;
      expand(4 * other.committed.size(), position);
      all.push_back(
          apply(Op::logical_not, is_at_one(other, other.committed, position), truth_, position));
    }
  for (const Move* move : step.moves) {
    if (!synchronous_ && move->channel != nullptr && move->channel->buffered())
      all.push_back(has_room(*move));
    for (const ExprPtr& guard : move->guards) all.push_back(again(*guard));
  }
  if (property != nullptr)
    for (const ExprPtr& guard : property->guards) all.push_back(again(*guard));
  return all;
}

// Keeps the first condition as the first operand, because generated code switches on it.
program::ExprPtr RuleLowering::guard(std::vector<ExprPtr> conditions, Position position) const {
  ExprPtr first = std::move(conditions.front());
  conditions.erase(conditions.begin());
  if (conditions.empty()) return first;
  return apply(Op::logical_and, std::move(first),
               apply_all(Op::logical_and, std::move(conditions), truth_, position), truth_,
               position);
}

void RuleLowering::add_rule(const JointMove& step, const Move* property) {
  const Position position = step.moves[0]->node->position;
  program::Rule rule;
  rule.header.name = name_of(step, property);
  rule.header.position = position;
  expand(8 * step.moves.size() + rule.header.name.size() / 8, position);
  std::vector<ExprPtr> all = conditions(step, property);
  const bool any = property_ != nullptr && property == nullptr;
  if (any) all.push_back(property_call(allows_, add_parameter(rule), position));
  rule.guard = guard(std::move(all), position);
  lower_body(step, property, rule);
  if (any) move_property(rule, position);
  for (const Move* move : step.moves)
    rules_of_[move].push_back(static_cast<std::uint32_t>(program_.rules.size()));
  for (const Move* move : step.moves) rule.processes.push_back(move->process->number);
  program_.rules.push_back(std::move(rule));
}

// Transitions are what the author knows, not what becomes of those that go together.
void RuleLowering::list_transitions() {
  for (const Process& process : processes_)
    for (const Move& move : process.moves)
      if (!process.property)
        program_.written.push_back({fmt::format("{}: {} -> {}", process.node->name.text,
                                                move.node->from.text, move.node->to.text),
                                    move.node->position, rules_of_[&move]});
}

std::string RuleLowering::name_of(const JointMove& step, const Move* property) {
  const auto process = [](const Move& move) -> const std::string& {
    return move.process->node->name.text;
  };
  const auto way = [](const Move& move) {
    return fmt::format("{} -> {}", move.node->from.text, move.node->to.text);
  };
  const Move& first = *step.moves[0];
  std::string name;
  if (step.pair) {
    const Move& second = *step.moves[1];
    name = fmt::format("{} ! {}: {}, {} on {}", process(first), process(second), way(first),
                       way(second), first.node->sync->channel.text);
  } else if (step.moves.size() == 1 && first.channel != nullptr) {
    name = fmt::format("{}: {} on {}{}", process(first), way(first), first.node->sync->channel.text,
                       first.sends ? '!' : '?');
  } else {
    for (const Move* move : step.moves)
      name += fmt::format("{}{}: {}", name.empty() ? "" : ", ", process(*move), way(*move));
  }
  if (property != nullptr) name += fmt::format(" | {}: {}", process(*property), way(*property));
  return name;
}

}  // namespace spillway::dve
