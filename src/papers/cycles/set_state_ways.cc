#include "papers/cycles/set_state_ways.h"

#include <algorithm>

#include "base/error.h"
#include "papers/cycles/numbered_states.h"
#include "papers/storage/state_file.h"

namespace spillway {
namespace {

bool is_taken(const SetStateStep& step, Steps allowed) {
  return allowed == Steps::all || step.inside;
}

// Backwards through levels, from before `end` to `first`: before each set state, the first one of
// its level with a step there that is taken.  Ends with the target.
template <class Level, class IsTaken>
std::vector<SetStateRow> way_back(SetStates& set_states, State target, std::uint64_t first,
                                  std::uint64_t end, Level level, IsTaken is_taken) {
  std::vector<SetStateRow> way = {{target.begin(), target.end()}};
  for (std::uint64_t number = end; number-- > first;) {
    const std::size_t before = way.size();
    const auto leads_on = [&](const SetStateStep& step) {
      return is_taken(number, step) && equal(step.to, way.back());
    };
    for (const State set_state : level(number))
      if (std::ranges::any_of(set_states.expand_again(set_state), leads_on)) {
        way.emplace_back(set_state.begin(), set_state.end());
        break;
      }
    SPILLWAY_CHECK(way.size() == before + 1);
  }
  std::ranges::reverse(way);
  return way;
}

// Levels with a bit for each set state that was met.
class Layers {
 public:
  Layers(SetStates& set_states, Store& store, FirstStep first)
      : set_states_(set_states), first_(first), log_(store, "layers"), next_(store, "layer") {}

  // Finds the layer that leads to `to`.
  void search(SetStateNumbers& numbers, BitVector& visited, State from, State to) {
    visited.clear();
    log_.append(from);
    ends_ = {0, 1};
    while (!leads_to(to, [&](State set_state) {
      if (equal(set_state, from) || visited.get(numbers(set_state))) return;
      visited.set(numbers(set_state));
      next_.append(set_state);
    })) {
      if (next_.empty())
        throw Error(Fault::internal, "internal error: an accepting cycle does not close");
      next_.drain([this](State set_state) { log_.append(set_state); });
      ends_.push_back(log_.size());
    }
  }

  std::vector<SetStateRow> path(State to) {
    return way_back(
        set_states_, to, 1, layers(), [this](std::uint64_t number) { return layer(number); },
        [this](std::uint64_t number, const SetStateStep& step) { return is_taken(number, step); });
  }

 private:
  std::uint64_t layers() const { return ends_.size() - 1; }
  Scan layer(std::uint64_t number) { return log_.scan(ends_[number], ends_[number + 1]); }
  bool is_taken(std::uint64_t layer, const SetStateStep& step) const {
    return step.inside && (layer != 0 || first_ == FirstStep::any || step.accepting);
  }
  // Whether a set state of the last layer has a step to `to`; visits what it leads to before.
  template <class Visit>
  bool leads_to(State to, Visit visit) {
    for (const State set_state : layer(layers() - 1))
      for (const SetStateStep& step : set_states_.expand_again(set_state)) {
        if (!is_taken(layers() - 1, step)) continue;
        if (equal(step.to, to)) return true;
        visit(step.to);
      }
    return false;
  }

  SetStates& set_states_;
  const FirstStep first_;
  StateFile log_, next_;
  std::vector<std::uint64_t> ends_;  // of layers in the log, after 0
};

}  // namespace

bool reaches(SetStates& set_states, DelayedLevels& levels, State target, Steps allowed) {
  while (StateFile* const level = levels.next_level()) {
    for (const State set_state : level->scan())
      if (equal(set_state, target)) return true;
    for (const State set_state : level->scan())
      for (const SetStateStep& step : set_states.expand_again(set_state))
        if (is_taken(step, allowed)) levels.add(step.to.data());
  }
  return false;
}

std::vector<SetStateRow> way_to(SetStates& set_states, DelayedLevels& levels, State target,
                                Steps allowed) {
  return way_back(
      set_states, target, 0, levels.levels() - 1,
      [&](std::uint64_t number) { return levels.level(number); },
      [&](std::uint64_t, const SetStateStep& step) { return is_taken(step, allowed); });
}

std::vector<SetStateRow> layered_path(SetStates& set_states, SetStateNumbers& numbers,
                                      BitVector& visited, Store& store, State from, State to,
                                      FirstStep first) {
  Layers layers(set_states, store, first);
  layers.search(numbers, visited, from, to);
  return layers.path(to);
}

void report_run(Session& session, const SetStates& set_states, const std::vector<SetStateRow>& stem,
                const std::vector<SetStateRow>& loop) {
  const auto row = [&](const SetStateRow& set_state) {
    const State state = set_states.row(set_state);
    return std::vector<Word>(state.begin(), state.end());
  };
  Finding finding{PropertyKind::acceptance, 0, stem.size() - 1, row(stem.back())};
  for (std::size_t i = 0; i + 1 < stem.size(); ++i) finding.stem.push_back(row(stem[i]));
  for (const SetStateRow& set_state : loop) finding.loop.push_back(row(set_state));
  session.findings.add(std::move(finding));
  session.lookout.announce(
      "this search reports the first run that it comes upon: other algorithms report a shorter "
      "one");
  session.lookout.finish({});
}

}  // namespace spillway
