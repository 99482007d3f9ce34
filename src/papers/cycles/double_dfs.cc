#include "papers/cycles/double_dfs.h"

#include <algorithm>

namespace spillway {

DoubleDfs::DoubleDfs(SetStates& set_states, SetStateNumbers& numbers, const BitVector* last,
                     Store& store)
    : set_states_(set_states),
      numbers_(numbers),
      last_(last),
      visited_(store.budget(), numbers.size()),
      stack_(store, "stack"),
      seeds_(store, "seeds"),
      row_(set_states.words() + 1) {}

std::optional<DoubleDfs::Cycle> DoubleDfs::search() {
  search_all();
  visited_.clear();
  for (const State seed : seeds_.scan())
    if (std::optional<Cycle> cycle = search_from(seed.first(set_states_.words()))) return cycle;
  return std::nullopt;
}

bool DoubleDfs::visit(State set_state) {
  const std::uint64_t number = numbers_(set_state);
  if (visited_.get(number)) return false;
  visited_.set(number);
  return true;
}

void DoubleDfs::push(State set_state, Note note) {
  std::ranges::copy(set_state, row_.begin());
  row_.back() = note;
  stack_.push(row_);
}

// The first search.
void DoubleDfs::search_all() {
  for (const State set_state : set_states_.initial()) push(set_state, waiting);
  std::vector<Word> set_state;
  while (!stack_.empty()) {
    const State top = stack_.top();
    set_state.assign(top.begin(), top.end() - 1);
    const Word note = top.back();
    if (note != waiting) {
      if (note == entered_seed) {
        std::ranges::copy(set_state, row_.begin());
        row_.back() = 0;
        seeds_.append(row_);
      }
      stack_.pop();
    } else if (!visit(set_state) || is_last(set_state)) {
      stack_.pop();
    } else {
      ++expanded_;
      const std::vector<SetStateStep>& steps = set_states_.expand_again(set_state);
      const bool is_seed = std::ranges::any_of(steps, &SetStateStep::accepting);
      stack_.top_note()[0] = is_seed ? entered_seed : entered;
      for (const SetStateStep& step : steps)
        if (!visited_.get(numbers_(step.to))) push(step.to, waiting);
    }
  }
}

// The second search, as far as it comes from one seed.
std::optional<DoubleDfs::Cycle> DoubleDfs::search_from(State seed) {
  if (visited_.get(numbers_(seed)) || is_last(seed)) return std::nullopt;
  seed_.assign(seed.begin(), seed.end());
  if (!push_steps(seed_, true)) return cycle_on_stack();
  std::vector<Word> set_state;
  while (!stack_.empty()) {
    const State top = stack_.top();
    set_state.assign(top.begin(), top.end() - 1);
    if (top.back() != waiting || !visit(set_state) || is_last(set_state)) {
      stack_.pop();
      continue;
    }
    stack_.top_note()[0] = entered;
    if (!push_steps(set_state, false)) return cycle_on_stack();
  }
  return std::nullopt;
}

bool DoubleDfs::push_steps(State set_state, bool only_accepting) {
  ++expanded_;
  for (const SetStateStep& step : set_states_.expand_again(set_state)) {
    if (!step.inside || (only_accepting && !step.accepting)) continue;
    if (equal(step.to, State(seed_))) return false;
    if (!visited_.get(numbers_(step.to))) push(step.to, waiting);
  }
  return true;
}

// The set states that were entered are the path from the seed.
DoubleDfs::Cycle DoubleDfs::cycle_on_stack() {
  Cycle cycle{seed_, {seed_}};
  for (; !stack_.empty(); stack_.pop()) {
    const State top = stack_.top();
    if (top.back() != waiting) cycle.loop.emplace_back(top.begin(), top.end() - 1);
  }
  std::ranges::reverse(cycle.loop);
  return cycle;
}

}  // namespace spillway
