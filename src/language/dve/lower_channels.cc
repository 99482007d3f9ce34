#include "language/build.h"
#include "language/dve/lowering.h"

namespace spillway::dve {

using program::Do;

namespace {

// The fields of a channel that keeps messages.
constexpr std::size_t kCount = 0, kMessages = 1;

}  // namespace

// All values and all places are known before the first value is stored.
void Lowering::store(std::vector<Place> targets, std::vector<ExprPtr> values, Frame& frame, Body& out) {
  const auto bind = [&](ExprPtr value) {
    auto result = statement(Do::bind_value, value->position);
    result->slot = static_cast<program::SlotIndex>(frame.size());
    frame.push_back({"value", nullptr, program::Holds::constant});
    ExprPtr bound = read_slot(result->slot, nullptr, value->position);
    result->value = std::move(value);
    out.push_back(std::move(result));
    return bound;
  };
  for (std::size_t i = 0; i < targets.size(); ++i) values[i] = fitted(std::move(values[i]), *targets[i].type);
  if (targets.size() > 1) {
    for (ExprPtr& value : values) value = bind(std::move(value));
    for (Place& target : targets)
      for (program::Step& step : target.steps)
        if (step.index->op != Op::literal) step.index = bind(std::move(step.index));
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Position position = targets[i].position;
    assign(std::move(targets[i]), std::move(values[i]), position, out);
  }
}

// From the sender to the receiver, without a stay in the channel.
void Lowering::exchange(const Move& sender, const Move& receiver, Frame& frame, Body& out) {
  std::vector<ExprPtr> values;
  std::vector<Place> targets;
  for (std::size_t i = 0; i < sender.values.size(); ++i) {
    ExprPtr value = again(*sender.values[i]);
    const auto& types = sender.channel->types;
    if (!types.empty() && options_.errors != DveErrors::report) value = cut(std::move(value), *types[i]);
    values.push_back(std::move(value));
    targets.push_back(again(receiver.targets[i]));
  }
  store(std::move(targets), std::move(values), frame, out);
}

program::ExprPtr Lowering::has_room(const Move& move) {
  const Position position = move.node->sync->channel.position;
  ExprPtr count = read_place(field(place(move.channel->index, position), kCount));
  const Value limit = move.sends ? move.channel->node->size : 0;
  return apply(Op::less, move.sends ? std::move(count) : number(limit, position),
               move.sends ? number(limit, position) : std::move(count), truth_, position);
}

void Lowering::operate(const Move& move, Frame& frame, Body& out) {
  if (move.sends)
    send(move, out);
  else
    receive(move, frame, out);
}

// One of the values of the message with this number.
program::Place Lowering::message(const Channel& channel, ExprPtr number, std::size_t value, Position position) const {
  Place result = element(field(place(channel.index, position), kMessages), std::move(number));
  return channel.types.size() == 1 ? std::move(result) : field(std::move(result), value);
}

void Lowering::send(const Move& move, Body& out) {
  const Channel& channel = *move.channel;
  const Position position = move.node->sync->channel.position;
  const Place count = field(place(channel.index, position), kCount);
  for (std::size_t i = 0; i < move.values.size(); ++i) {
    ExprPtr value = again(*move.values[i]);
    if (options_.errors != DveErrors::report) value = cut(std::move(value), *channel.types[i]);
    assign(message(channel, read_place(copy(count)), i, position), std::move(value), position, out);
  }
  assign(copy(count), apply(Op::add, read_place(copy(count)), number(1, position), nullptr, position), position, out);
}

// The others move up, and what is left behind becomes zero: otherwise equal states would look different.
void Lowering::receive(const Move& move, Frame& frame, Body& out) {
  const Channel& channel = *move.channel;
  const Position position = move.node->sync->channel.position;
  std::vector<ExprPtr> values;
  std::vector<Place> targets;
  for (std::size_t i = 0; i < move.targets.size(); ++i) {
    values.push_back(read_place(message(channel, number(0, position), i, position)));
    targets.push_back(again(move.targets[i]));
  }
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
    assign(element(copy(messages), counter()), read_place(element(copy(messages), std::move(next))), position,
           loop->branches[0].body);
    out.push_back(std::move(loop));
  }
  set_to_zero(element(copy(messages), number(last, position)), frame, out);
  const Place count = field(place(channel.index, position), kCount);
  assign(copy(count), apply(Op::subtract, read_place(copy(count)), number(1, position), nullptr, position), position,
         out);
}

}  // namespace spillway::dve
