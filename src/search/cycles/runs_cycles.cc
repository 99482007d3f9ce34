#include "search/cycles/runs_cycles.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "check/graph/acceptance.h"
#include "search/cycles/check_schedule.h"

namespace spillway {
namespace {

constexpr std::uint64_t kEnoughToSearch = std::uint64_t{1} << 20;  // bytes

class RunsCycles final : public CyclesContinuation {
  const RunsCyclesSettings settings;
  const bool minimal;
  // What is checked between two levels has a half of the memory, and after the last one all of it.
  Budget search_budget{
      budget, std::max(budget.limit() / 2, std::min(budget.limit() / 8 * 7, kEnoughToSearch))};
  Budget check_budget{budget, budget.limit() / 2};
  std::unique_ptr<Continuation> bfs;
  const std::unique_ptr<LevelReader> all_levels;
  // Divides the memory that is left, so a search in memory must have ended.
  std::optional<AcceptingPrefix> prefix;
  CheckSchedule schedule{
      {settings.first_check, settings.growth, settings.later_growth, settings.many}};

 public:
  RunsCycles(const SearchContext& context, const MakeContinuation& make_bfs,
             const RunsCyclesSettings& s)
      : CyclesContinuation(context),
        settings(s),
        minimal(context.minimal),
        bfs(make_bfs({session, search_budget, crew, disk, {}, checkpoints})),
        all_levels(levels_of_all_ranks(session, *bfs, check_budget, crew, s.shared)) {
    bfs->when_between_levels([this] { check_if_due(); });
  }

  void search() override {
    // Whether the check at the checkpoint was made is not known, so that is made again.
    if (checkpoints.resumed() != nullptr) schedule.repeat(levels.counts().levels, UINT64_MAX);
    begin_prefix();
    bfs->search();
    check_all();
  }

  void continue_from(std::unique_ptr<InterruptibleSearch> ram, Handover left) override {
    std::vector<Level> known = levels.counts().levels;
    known.push_back({.states = levels.level_states(), .transitions = 0, .digest = {}});
    schedule.repeat(known, left.decided_states);
    bfs->continue_from(std::move(ram), std::move(left));
    check_all();
  }

  std::uint64_t stored() const override { return bfs->stored(); }
  void complete_level() override { bfs->complete_level(); }
  bool decides_acceptance() const override { return true; }
  LevelReader* level_reader() override { return bfs->level_reader(); }
  // The visited set is gone by then.
  bool each_visited(const std::function<void(State)>& /*visit*/) override { return false; }

 private:
  void begin_prefix() {
    prefix.emplace(session, check_budget, crew, &disk, minimal, settings.ranked);
    prefix->keep_in(checkpoints.of_decisions());
  }

  void check_if_due() {
    if (levels.counts().levels.empty()) return;
    if (!prefix) begin_prefix();
    const std::uint64_t wanted = prefix->wanted_levels();
    const std::uint64_t states = levels.states_so_far();  // of all ranks
    if (wanted == 0 ? !schedule.is_due(states) : levels.counts().levels.size() < wanted) return;
    check(false);
    schedule.have_checked(states);
  }

  void check_all() {
    bfs->free_visited();
    if (!prefix) begin_prefix();
    check(true);
  }

  void check(bool is_all) {
    const InPhase deciding(lookout, Phase::deciding);
    std::optional<Finding> found = prefix->extend(*all_levels, levels.counts().levels.size(),
                                                  is_all, is_all ? budget : check_budget);
    if (!found) return;
    session.findings.add(std::move(*found));
    if (!is_all) lookout.finish({});  // otherwise all states have been expanded
  }
};

}  // namespace

std::unique_ptr<CyclesContinuation> make_runs_cycles(const SearchContext& context,
                                                     const MakeContinuation& make_bfs,
                                                     const RunsCyclesSettings& settings) {
  return std::make_unique<RunsCycles>(context, make_bfs, settings);
}

}  // namespace spillway
