#include "liveness/double_dfs.h"

#include <algorithm>

namespace spillway {

DoubleDfs::DoubleDfs(Places& places, PlaceNumbers& numbers, const BitVector* last, Store& store)
    : places_(places),
      numbers_(numbers),
      last_(last),
      visited_(store.budget(), numbers.size()),
      stack_(store, "stack"),
      seeds_(store, "seeds"),
      row_(places.words() + 1) {}

std::optional<DoubleDfs::Cycle> DoubleDfs::search() {
  search_all();
  visited_.clear();
  for (const State seed : seeds_.scan())
    if (std::optional<Cycle> cycle = search_from(seed.first(places_.words()))) return cycle;
  return std::nullopt;
}

bool DoubleDfs::visit(State place) {
  const std::uint64_t number = numbers_(place);
  if (visited_.get(number)) return false;
  visited_.set(number);
  return true;
}

void DoubleDfs::push(State place, Note note) {
  std::ranges::copy(place, row_.begin());
  row_.back() = note;
  stack_.push(row_);
}

// The first search.
void DoubleDfs::search_all() {
  for (const State place : places_.initial()) push(place, waiting);
  std::vector<Word> place;
  while (!stack_.empty()) {
    const State top = stack_.top();
    place.assign(top.begin(), top.end() - 1);
    const Word note = top.back();
    if (note != waiting) {
      if (note == entered_seed) {
        std::ranges::copy(place, row_.begin());
        row_.back() = 0;
        seeds_.append(row_);
      }
      stack_.pop();
    } else if (!visit(place) || is_last(place)) {
      stack_.pop();
    } else {
      ++expanded_;
      const std::vector<PlaceStep>& steps = places_.expand_again(place);
      const bool is_seed = std::ranges::any_of(steps, &PlaceStep::accepting);
      stack_.top_note()[0] = is_seed ? entered_seed : entered;
      for (const PlaceStep& step : steps)
        if (!visited_.get(numbers_(step.to))) push(step.to, waiting);
    }
  }
}

// The second search, as far as it comes from one seed.
std::optional<DoubleDfs::Cycle> DoubleDfs::search_from(State seed) {
  if (visited_.get(numbers_(seed)) || is_last(seed)) return std::nullopt;
  seed_.assign(seed.begin(), seed.end());
  if (!push_steps(seed_, true)) return cycle_on_stack();
  std::vector<Word> place;
  while (!stack_.empty()) {
    const State top = stack_.top();
    place.assign(top.begin(), top.end() - 1);
    if (top.back() != waiting || !visit(place) || is_last(place)) {
      stack_.pop();
      continue;
    }
    stack_.top_note()[0] = entered;
    if (!push_steps(place, false)) return cycle_on_stack();
  }
  return std::nullopt;
}

bool DoubleDfs::push_steps(State place, bool only_accepting) {
  ++expanded_;
  for (const PlaceStep& step : places_.expand_again(place)) {
    if (!step.inside || (only_accepting && !step.accepting)) continue;
    if (equal(step.to, State(seed_))) return false;
    if (!visited_.get(numbers_(step.to))) push(step.to, waiting);
  }
  return true;
}

// The places that were entered are the path from the seed.
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
