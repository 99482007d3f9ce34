#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/dve/process_lowering.h"
#include "program/can_fail.h"

namespace spillway::dve {

void ProcessLowering::lower_moves(Process& process) {
  context_ = &process;
  for (const TransitionNode& node : process.node->transitions)
    attempt([&] { process.moves.push_back(lower_move(process, node)); });
  context_ = nullptr;
  std::stable_sort(process.moves.begin(), process.moves.end(),
                   [](const Move& a, const Move& b) { return a.from < b.from; });
  for (const Move& move : process.moves)
    if (move.channel != nullptr && !move.channel->buffered() && !move.sends)
      receivers_[move.channel].push_back(&move);
}

ProcessLowering::Move ProcessLowering::lower_move(const Process& process,
                                                  const TransitionNode& node) {
  Move move;
  move.node = &node;
  move.process = &process;
  bool fine = attempt([&] { move.from = state(process, node.from); });
  fine &= attempt([&] { move.to = state(process, node.to); });
  fine &= lower_guards(move);
  fine &= attempt([&] { lower_sync(move); });
  fine &= lower_effects(move);
  if (!fine) throw Spoiled();
  if (process.property && (node.sync || !node.effects.empty()))
    refuse(node.sync ? node.sync->channel.position : node.effects[0].position,
           "a property process only observes the others, so its transitions can have guards only");
  return move;
}

bool ProcessLowering::lower_guards(Move& move) {
  bool fine = true;
  for (const ExpressionPtr& guard : move.node->guards) {
    ExprPtr condition;
    if (!attempt([&] { condition = lower_truth(*guard); })) {
      examine_names(*guard);
      fine = false;
      continue;
    }
    if (never_holds(*condition) && !move.never)
      warn(guard->position, "this transition can never be taken: its guard is always false");
    const bool is_false = condition->op == Op::literal && condition->value == 0;
    move.never = move.never || (is_false && !move.fails);
    move.fails = move.fails || (!move.never && program::can_fail(*condition, {}, program_));
    // It is asked with an earlier guard that may fail, of this transition or another one.
    if (is_false || condition->op != Op::literal) move.guards.push_back(std::move(condition));
  }
  return fine;
}

void ProcessLowering::lower_sync(Move& move) {
  if (!move.node->sync) return;
  const SyncNode& sync = *move.node->sync;
  const auto found = channel_names_.find(sync.channel.text);
  if (found == channel_names_.end()) {
    std::vector<std::string_view> known;
    for (const auto& [name, channel] : channel_names_) known.push_back(name);
    refuse_name(sync.channel, kChannel,
                fmt::format("there is no channel {}{}", quoted(sync.channel.text),
                            did_you_mean(sync.channel.text, known)));
  }
  Channel& channel = *found->second;
  (sync.sends ? channel.sent : channel.received) = true;
  move.channel = &channel;
  move.sends = sync.sends;
  if (channel.values && *channel.values != sync.values.size())
    refuse(
        sync.channel.position,
        fmt::format("wrong number of values: {} {}, but messages on {} have {}", sync.values.size(),
                    sync.sends ? "sent" : "received", quoted(sync.channel.text), *channel.values));
  channel.values = sync.values.size();
  for (const ExpressionPtr& value : sync.values) {
    if (sync.sends) {
      move.values.push_back(lower(*value));
    } else {
      const Symbol* written = nullptr;
      move.targets.push_back(target(*value, &written));
    }
  }
}

bool ProcessLowering::lower_effects(Move& move) {
  bool fine = true;
  for (const AssignNode& node : move.node->effects) {
    const bool lowered = attempt([&] {
      const Symbol* written = nullptr;
      Place to = target(*node.target, &written);
      ExprPtr value = fitted(lower(*node.value), *to.type);
      if (value->op == Op::literal && !to.type->domain.contains(value->value))
        warn(node.value->position, does_not_fit(value->value, node.target->name, *to.type));
      move.effects.push_back({std::move(to), std::move(value), node.position, written});
    });
    if (!lowered) examine_names(*node.value);
    fine &= lowered;
  }
  return fine;
}

}  // namespace spillway::dve
