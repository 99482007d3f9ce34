#include "papers/cycles/through_seed.h"

namespace spillway {

ThroughSeed::ThroughSeed(const Tools& tools)
    : tools_(tools), met_(tools.plain, "met"), sources_(tools.with_source, "sources") {}

std::optional<ShortLasso> ThroughSeed::search(State seed, std::uint64_t bound) {
  best_ = {bound, {}, {seed.begin(), seed.end()}};
  seed_depth_ = depth(seed);
  tools_.queue.clear();
  if (comes_back()) {
    ++on_cycles_;
    begin_anywhere();
  }
  return best_.length < bound ? std::optional(best_) : std::nullopt;
}

bool ThroughSeed::visit(State set_state) {
  const std::uint64_t number = tools_.numbers(set_state);
  if (tools_.visited.get(number)) return false;
  tools_.visited.set(number);
  return true;
}

// BFS-PQ: breadth-first from the seed.  Lassos that begin at the seed are known afterwards, and for
// each other set state the queue has the length of a stem to it and the way from the seed to it.
bool ThroughSeed::comes_back() {
  tools_.visited.clear();
  on_cycle_ = false;
  met_.push(State(best_.seed));
  for (std::uint64_t steps = 1; !met_.empty() && steps < best_.length; ++steps)
    for (std::uint64_t left = met_.size(); left > 0; --left)
      for (const SetStateStep& step : tools_.set_states.expand_again(*met_.pop()))
        if (step.inside && (step.accepting || steps > 1)) look_at(step, steps);
  met_.drain([](State) {});
  return on_cycle_;
}

// Only what the queue is given depends on the best length, not what is searched.
void ThroughSeed::look_at(const SetStateStep& step, std::uint64_t steps) {
  if (equal(step.to, State(best_.seed))) {
    on_cycle_ = true;
    if (seed_depth_ + steps >= best_.length) return;
    best_.length = seed_depth_ + steps;
    best_.first = best_.seed;
    return;
  }
  if (!visit(step.to)) return;
  if (const std::uint64_t length = depth(step.to) + steps; length + 1 < best_.length) {
    row_.assign(step.to.begin(), step.to.end());
    row_.push_back(length);
    tools_.queue.add(row_.data());
  }
  met_.push(step.to);
}

// Prio-min: breadth-first to the seed from all set states of the queue, each from the length on
// that it has there.
void ThroughSeed::begin_anywhere() {
  tools_.visited.clear();
  const std::size_t words = tools_.set_states.words();
  const std::unique_ptr<StateFile> queue = tools_.queue.sorted();
  Scan in_order = queue->scan();
  const Word* next = in_order.next();
  for (std::uint64_t length = 0;; ++length) {
    if (sources_.empty() && next != nullptr) length = next[words];
    if ((sources_.empty() && next == nullptr) || length + 1 >= best_.length) break;
    for (; next != nullptr && next[words] == length; next = in_order.next()) {
      const State set_state(next, words);
      if (visit(set_state)) push(set_state, set_state);
    }
    if (advance(length)) break;
  }
  sources_.drain([](State) {});
}

// True: the seed is reached.
bool ThroughSeed::advance(std::uint64_t length) {
  const std::size_t words = tools_.set_states.words();
  for (std::uint64_t left = sources_.size(); left > 0; --left) {
    const State both = *sources_.pop();
    for (const SetStateStep& step : tools_.set_states.expand_again(both.first(words))) {
      if (!step.inside) continue;
      if (equal(step.to, State(best_.seed))) {
        best_.length = length + 1;
        best_.first.assign(both.begin() + static_cast<std::ptrdiff_t>(words), both.end());
        return true;
      }
      if (visit(step.to)) push(step.to, both.subspan(words));
    }
  }
  return false;
}

void ThroughSeed::push(State set_state, State source) {
  row_.assign(set_state.begin(), set_state.end());
  row_.insert(row_.end(), source.begin(), source.end());
  sources_.push(State(row_));
}

}  // namespace spillway
