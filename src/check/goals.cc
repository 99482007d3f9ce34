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
  Backward(Session& session, LevelReader& levels, Budget& budget, Disk& disk, PropertyIndex goal)
      : session_(session),
        levels_(levels),
        goal_(goal),
        store_(disk, budget, {session.model.words(), 0}),
        good_(store_, counts_.states * (session.model.words() * sizeof(Word) + kBytesBesideRow)) {}

  void decide() {
    std::uint64_t before = 0;
    do {
      before = good_.size();
      for (std::uint64_t depth = counts_.levels.size(); depth-- > 0;) pass(depth);
    } while (good_.size() != before && good_.size() < counts_.states);
    if (good_.size() < counts_.states) report();
  }

 private:
  void pass(std::uint64_t depth) {
    levels_.each_at_depth(depth, [&](unsigned, State state) {
      const std::lock_guard lock(mutex_);
      if (!good_.contains(state) && leads_to_goal(state)) good_.insert(state);
    });
  }

  bool leads_to_goal(State state) {
    session_.lookout.look_up();
    const Expanders::InModel in_model(session_.expanders);
    noted_.resize(session_.model.properties().size());
    const std::size_t count = session_.model.check(state, noted_.data());
    const auto end = noted_.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(noted_.begin(), end, goal_) != end) return true;
    successors_.clear();
    session_.model.successors(state, successors_);
    for (const State next : successors_.states())
      if (good_.contains(next)) return true;
    return false;
  }

  // The first state from which the goal cannot be reached.
  void report() {
    for (std::uint64_t depth = 0; depth < counts_.levels.size(); ++depth) {
      std::vector<Word> least;
      levels_.each_at_depth(depth, [&](unsigned, State state) {
        const std::lock_guard lock(mutex_);
        if (good_.contains(state)) return;
        if (least.empty() || less(state, least)) least.assign(state.begin(), state.end());
      });
      if (least.empty()) continue;
      session_.findings.add({FindingKind::reachable, goal_, depth, std::move(least), {}});
      return;
    }
  }

  Session& session_;
  LevelReader& levels_;
  const Statistics& counts_ = session_.levels.counts();
  const PropertyIndex goal_;
  std::mutex mutex_;
  Store store_;
  StateTable good_;
  Successors successors_{session_.model.words()};
  std::vector<PropertyIndex> noted_;
};

void reserve(Session& session, const Budget& budget) {
  const std::uint64_t states = session.levels.counts().states;
  const std::uint64_t bytes =
      states * (session.model.words() * sizeof(Word) + kBytesBesideRow) + 4096;
  if (states > kMostStates || bytes > budget.left()) session.lookout.finish(Stop::goals);
}

}  // namespace

void decide_goals(Session& session, Search& search, Budget& budget, Disk& disk,
                  const GoalSettings& settings, Goals& goals) {
  const std::vector<Property>& properties = session.model.properties();
  note_covered(session, goals);
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != PropertyKind::cover || goals.decided[i]) continue;
    if (settings.exact)
      session.findings.add({FindingKind::cover, i, 0, {}, {}});
    else
      goals.cover_open = true;
  }
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind != PropertyKind::reachable || !settings.reachable) continue;
    reserve(session, budget);
    Backward(session, *search.level_reader(), budget, disk, i).decide();
    goals.decided[i] = true;
  }
}

void note_covered(const Session& session, Goals& goals) {
  const std::vector<Property>& properties = session.model.properties();
  goals.decided.resize(properties.size());
  for (PropertyIndex i = 0; i < properties.size(); ++i)
    if (properties[i].kind == PropertyKind::cover && session.expanders.covered(i))
      goals.decided[i] = true;
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
