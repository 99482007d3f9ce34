#include "run/goals.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

namespace spillway {
namespace {

using RowSet = std::unordered_set<std::string>;

constexpr std::uint64_t kBytesBesideRow = 72;  // of an entry: node, string, bucket

std::string_view bytes_of(State state) {
  return {reinterpret_cast<const char*>(state.data()), state.size() * sizeof(Word)};
}

class Backward {
 public:
  Backward(Run& run, Search& search, Budget& budget, PropertyIndex goal)
      : run_(run), search_(search), budget_(budget), goal_(goal) {}
  ~Backward() { budget_.give_back(taken_); }
  Backward(const Backward&) = delete;
  Backward& operator=(const Backward&) = delete;

  void decide() {
    std::size_t before = 0;
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
      const std::string row(bytes_of(state));
      if (good_.contains(row) || !leads_to_goal(state)) return;
      const std::uint64_t bytes = row.size() + kBytesBesideRow;
      if (!budget_.draw(bytes)) run_.give_up(Stop::memory);
      taken_ += bytes;
      good_.insert(row);
    });
  }

  bool leads_to_goal(State state) {
    run_.look_up();
    noted_.resize(run_.model().properties().size());
    const std::size_t count = run_.model().check(state, noted_.data());
    if (std::find(noted_.begin(), noted_.begin() + static_cast<std::ptrdiff_t>(count), goal_) !=
        noted_.begin() + static_cast<std::ptrdiff_t>(count))
      return true;
    successors_.clear();
    run_.model().successors(state, successors_);
    for (const State next : successors_.states())
      if (good_.contains(std::string(bytes_of(next)))) return true;
    return false;
  }

  // The first state from which the goal cannot be reached.
  void report() {
    for (std::uint64_t depth = 0; depth < run_.statistics().levels.size(); ++depth) {
      std::vector<Word> least;
      search_.each_at_depth(depth, [&](unsigned, State state) {
        const std::lock_guard lock(mutex_);
        if (good_.contains(std::string(bytes_of(state)))) return;
        if (least.empty() || less(state, least)) least.assign(state.begin(), state.end());
      });
      if (least.empty()) continue;
      run_.found({FindingKind::reachable, goal_, depth, std::move(least), {}});
      return;
    }
  }

  Run& run_;
  Search& search_;
  Budget& budget_;
  const PropertyIndex goal_;
  std::mutex mutex_;
  RowSet good_;
  std::uint64_t taken_ = 0;
  Successors successors_{run_.model().words()};
  std::vector<PropertyIndex> noted_;
};

}  // namespace

void decide_goals(Run& run, Search& search, Budget& budget) {
  const std::vector<Property>& properties = run.model().properties();
  for (PropertyIndex i = 0; i < properties.size(); ++i) {
    if (properties[i].kind == PropertyKind::cover && !run.covered(i)) run.found({FindingKind::cover, i, 0, {}, {}});
    if (properties[i].kind == PropertyKind::reachable) Backward(run, search, budget, i).decide();
  }
}

}  // namespace spillway
