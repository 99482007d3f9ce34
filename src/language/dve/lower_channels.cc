#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/step_lowering.h"

namespace spillway::dve {

using program::Do;

namespace {

// The fields of a buffered channel.
constexpr std::size_t kCount = 0, kMessages = 1;

}  // namespace

// Binds the current value, so that later changes do not affect it.  If there is a type, the value
// must fit it; otherwise the statement fails and names `name`.
program::ExprPtr StepLowering::bind(ExprPtr value, std::string name, const Type* type, Frame& frame,
                                    Body& out) {
  auto result = statement(Do::bind_value, value->position);
  result->slot = static_cast<program::SlotIndex>(frame.size());
  frame.push_back({std::move(name), type, program::Holds::constant});
  ExprPtr bound = read_slot(result->slot, type, value->position);
  result->value = std::move(value);
  out.push_back(std::move(result));
  return bound;
}

void StepLowering::bind_indices(Place& place, Frame& frame, Body& out) {
  for (program::Selector& step : place.steps)
    if (step.index && step.index->op != Op::literal)
      step.index = bind(std::move(step.index), "index", nullptr, frame, out);
}

// All values and all places are computed before the first value is stored.  Other tools differ:
// compiled models compute each place, and the first interpreters each value, after the values
// before it have been stored.
void StepLowering::store(std::vector<Place> targets, std::vector<ExprPtr> values, Frame& frame,
                         Body& out) {
  for (std::size_t i = 0; i < targets.size(); ++i)
    values[i] = fitted(std::move(values[i]), *targets[i].type);
  if (targets.size() > 1) {
    if (options_.errors != DveErrors::legacy)
      for (ExprPtr& value : values) value = bind(std::move(value), "value", nullptr, frame, out);
    if (options_.errors != DveErrors::wrap)
      for (Place& target : targets) bind_indices(target, frame, out);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Position position = targets[i].position;
    assign(std::move(targets[i]), std::move(values[i]), position, out);
  }
}

// Passes the values of the sender to the receiver directly.
void StepLowering::exchange(const Move& sender, const Move& receiver, Frame& frame, Body& out) {
  std::vector<ExprPtr> values;
  for (std::size_t i = 0; i < sender.values.size(); ++i) {
    ExprPtr value = again(*sender.values[i]);
    const auto& types = sender.channel->types;
    if (!types.empty()) {
      const bool report = options_.errors == DveErrors::report;
      const std::string name =
          fmt::format("a message on {}", quoted(sender.channel->node->name.text));
      value = report ? bind(std::move(value), name, types[i], frame, out)
                     : cut(std::move(value), *types[i]);
    }
    values.push_back(std::move(value));
  }
  store(again_all(receiver.targets), std::move(values), frame, out);
}

program::ExprPtr StepLowering::has_room(const Move& move) {
  const Position position = move.node->sync->channel.position;
  ExprPtr count = read_place(field(place(move.channel->index, position), kCount));
  const Value limit = move.sends ? move.channel->node->size : 0;
  return apply(Op::less, move.sends ? std::move(count) : number(limit, position),
               move.sends ? number(limit, position) : std::move(count), truth_, position);
}

void StepLowering::operate(const Move& move, std::vector<Place> targets, Frame& frame, Body& out) {
  if (move.sends)
    send(move, out);
  else
    receive(move, std::move(targets), frame, out);
}

// The place of one value of the message with this number.
program::Place StepLowering::message(const Channel& channel, ExprPtr number, std::size_t value,
                                     Position position) const {
  Place result = element(field(place(channel.index, position), kMessages), std::move(number));
  return channel.types.size() == 1 ? std::move(result) : field(std::move(result), value);
}

void StepLowering::send(const Move& move, Body& out) {
  const Channel& channel = *move.channel;
  const Position position = move.node->sync->channel.position;
  const Place count = field(place(channel.index, position), kCount);
  for (std::size_t i = 0; i < move.values.size(); ++i) {
    ExprPtr value = again(*move.values[i]);
    if (options_.errors != DveErrors::report) value = cut(std::move(value), *channel.types[i]);
    assign(message(channel, read_place(copy(count)), i, position), std::move(value), position, out);
  }
  assign(copy(count),
         apply(Op::add, read_place(copy(count)), number(1, position), nullptr, position), position,
         out);
}

// The other messages move up, and the last one becomes zero.  Otherwise, equal states could have
// different rows.
void StepLowering::receive(const Move& move, std::vector<Place> targets, Frame& frame, Body& out) {
  const Channel& channel = *move.channel;
  const Position position = move.node->sync->channel.position;
  std::vector<ExprPtr> values;
  for (std::size_t i = 0; i < targets.size(); ++i)
    values.push_back(read_place(message(channel, number(0, position), i, position)));
  store(std::move(targets), std::move(values), frame, out);

  const Place messages = field(place(channel.index, position), kMessages);
  const Value last = channel.node->size - 1;
  if (last > 0) {
    auto loop = statement(Do::loop_over, position);
    loop->slot = static_cast<program::SlotIndex>(frame.size());
    frame.push_back({"i", messages.type->index, program::Holds::constant});
    loop->range.from = number(0, position);
    loop->range.to = number(last - 1, position);
    loop->branches.resize(1);
    const auto counter = [&] { return read_slot(loop->slot, messages.type->index, position); };
    ExprPtr next = apply(Op::add, counter(), number(1, position), nullptr, position);
    assign(element(copy(messages), counter()), read_place(element(copy(messages), std::move(next))),
           position, loop->branches[0].body);
    out.push_back(std::move(loop));
  }
  set_to_zero(element(copy(messages), number(last, position)), frame, out);
  const Place count = field(place(channel.index, position), kCount);
  assign(copy(count),
         apply(Op::subtract, read_place(copy(count)), number(1, position), nullptr, position),
         position, out);
}

}  // namespace spillway::dve
