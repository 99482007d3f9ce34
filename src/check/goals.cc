#include "check/goals.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/printable.h"
#include "storage/states/state_table.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBytesBesideRow = 9;  // of an entry of a StateTable
constexpr std::uint64_t kSearchBesideRow =
    4;  // of an entry in the visited set of a search in memory, about
constexpr std::uint64_t kMostStates = 1U << 31;  // a StateTable has room for

// The set of states that can reach a goal.
class Backward {
 public:
  // REQUIRES: the budget has room for a table of all states.
  Backward(Run& run, Search& search, Budget& budget, Disk& disk, PropertyIndex goal)
      : run_(run),
        search_(search),
        goal_(goal),
        store_(disk, budget, {run.model().words(), 0}),
        good_(store_,
              run.statistics().states * (run.model().words() * sizeof(Word) + kBytesBesideRow)) {}

  void decide() {
    std::uint64_t before = 0;
    do {
      before = good_.size();
      for (std::uint64_t depth = run_.statistics().levels.size(); depth-- > 0;) pass(depth);
    } while (good_.size() != before && good_.size() < run_.statistics().states);
    if (good_.size() < run_.statistics().states) report();
  }

 private:
  void pass(std::uint64_t depth) {
    search_.each_at_depth(depth, [&](unsigned, State state) {
      const std::lock_guard lock(mutex_);
      if (!good_.contains(state) && leads_to_goal(state)) good_.insert(state);
    });
  }

  bool leads_to_goal(State state) {
    run_.look_up();
    const Run::InModel in_model(run_);
    noted_.resize(run_.model().properties().size());
    const std::size_t count = run_.model().check(state, noted_.data());
    const auto end = noted_.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(noted_.begin(), end, goal_) != end) return true;
    successors_.clear();
    run_.model().successors(state, successors_);
    for (const State next : successors_.states())
      if (good_.contains(next)) return true;
    return false;
  }

  // The first state from which the goal cannot be reached.
  void report() {
    for (std::uint64_t depth = 0; depth < run_.statistics().levels.size(); ++depth) {
      std::vector<Word> least;
      search_.each_at_depth(depth, [&](unsigned, State state) {
        const std::lock_guard lock(mutex_);
        if (good_.contains(state)) return;
        if (least.empty() || less(state, least)) least.assign(state.begin(), state.end());
      });
      if (least.empty()) continue;
      run_.found({FindingKind::reachable, goal_, depth, std::move(least), {}});
      return;
    }
  }

  Run& run_;
  Search& search_;
  const PropertyIndex goal_;
  std::mutex mutex_;
  Store store_;
  StateTable good_;
  Successors successors_{run_.model().words()};
  std::vector<PropertyIndex> noted_;
};

void reserve(Run& run, const Budget& budget) {
  const std::uint64_t states = run.statistics().states;
  const std::uint64_t bytes =
      states * (run.model().words() * sizeof(Word) + kBytesBesideRow) + 4096;
  if (states > kMostStates || bytes > budget.left()) run.give_up(Stop::goals);
}

}  // namespace

void decide_goals(Run& run, Search& search, Budget& budget, Disk& disk,
                  const GoalSettings& settings, Goals& goals) {
  const std::vector<Property>& properties = run.model().properties();
  note_covered(run, goals);
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != PropertyKind::cover || goals.decided[i]) continue;
    if (settings.exact)
      run.found({FindingKind::cover, i, 0, {}, {}});
    else
      goals.cover_open = true;
  }
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != PropertyKind::reachable || !settings.reachable) continue;
    reserve(run, budget);
    Backward(run, search, budget, disk, i).decide();
    goals.decided[i] = true;
  }
}

void note_covered(const Run& run, Goals& goals) {
  const std::vector<Property>& properties = run.model().properties();
  goals.decided.resize(properties.size());
  for (PropertyIndex i = 0; i < properties.size(); ++i)
    if (properties[i].kind == PropertyKind::cover && run.covered(i)) goals.decided[i] = true;
}

std::uint64_t most_goal_states(const Budget& budget, std::size_t words) {
  const std::uint64_t row = words * sizeof(Word);
  return std::min(kMostStates, budget.limit() / (row + kBytesBesideRow + row + kSearchBesideRow));
}

bool has_reachable(const Model& model) {
  return std::ranges::any_of(model.properties(),
                             [](const Property& p) { return p.kind == PropertyKind::reachable; });
}

std::string why_goals_cannot_be_decided(const Model& model, const Algorithm& algorithm) {
  if (algorithm.retrace == nullptr) return "";
  for (const Property& property : model.properties())
    if (property.kind == PropertyKind::reachable)
      return fmt::format(
          "--algorithm={} cannot decide the liveness property \"{}\": use auto, ram or "
          "sorted-runs, or check the other "
          "properties with --ignore=liveness",
          algorithm.name, printable(property.name));
  return "";
}

}  // namespace spillway
