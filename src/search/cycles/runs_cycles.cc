#include "search/cycles/runs_cycles.h"

#include <algorithm>

#include "check/graph/acceptance.h"
#include "search/cycles/next_check.h"

namespace spillway {
namespace {

constexpr std::uint64_t kEnoughToSearch = std::uint64_t{1} << 20;  // bytes

class RunsCycles final : public LevelSearch {
  const RunsCyclesSettings settings;
  // What is checked between two levels has a half of the memory, and after the last one all of it.
  Budget search_budget{
      budget, std::max(budget.limit() / 2, std::min(budget.limit() / 8 * 7, kEnoughToSearch))};
  Budget check_budget{budget, budget.limit() / 2};
  std::unique_ptr<ExternalBfs> bfs;
  const std::unique_ptr<LevelReader> all_levels;
  AcceptingPrefix prefix;
  std::uint64_t next_check = settings.first_check;

 public:
  RunsCycles(const SearchContext& context, const MakeExternalBfs& make_bfs,
             const RunsCyclesSettings& s)
      : LevelSearch(context),
        settings(s),
        bfs(make_bfs({session, search_budget, crew, disk, {}, checkpoints})),
        all_levels(levels_of_all_ranks(session, *bfs, check_budget, crew, s.shared)),
        prefix(session, check_budget, crew, &disk, context.minimal, s.ranked) {
    prefix.keep_in(checkpoints.of_decisions());
    bfs->when_between_levels([this] { check_if_due(); });
  }

  void search() override {
    if (checkpoints.resumed() != nullptr) repeat_schedule(levels.counts().levels);
    bfs->search();
    bfs->free_visited();
    check(true);
  }

  std::uint64_t stored() const override { return bfs->stored(); }
  void complete_level() override { bfs->complete_level(); }
  bool decides_acceptance() const override { return true; }
  LevelReader* level_reader() override { return bfs->level_reader(); }
  // The visited set is gone by then.
  bool each_visited(const std::function<void(State)>& /*visit*/) override { return false; }

 private:
  // The checks that an earlier process has made before the checkpoint.  Whether it has made the one
  // at the checkpoint is not known, so that is made again.
  void repeat_schedule(const std::vector<Level>& complete) {
    if (complete.empty()) return;
    std::uint64_t states = complete[0].states;
    for (std::size_t i = 1; i < complete.size(); ++i) {
      states += complete[i].states;
      if (states >= next_check) set_next_check(states);
    }
  }

  void check_if_due() {
    if (levels.counts().levels.empty()) return;
    const std::uint64_t wanted = prefix.wanted_levels();
    const std::uint64_t states = levels.counts().states + levels.level_states();  // of all ranks
    if (wanted == 0 ? states < next_check : levels.counts().levels.size() < wanted) return;
    check(false);
    set_next_check(states);
  }

  void set_next_check(std::uint64_t states) {
    next_check =
        next_check_after(states, states < settings.many ? settings.growth : settings.later_growth);
  }

  void check(bool is_all) {
    const InPhase deciding(lookout, Phase::deciding);
    std::optional<Finding> found = prefix.extend(*all_levels, levels.counts().levels.size(), is_all,
                                                 is_all ? budget : check_budget);
    if (!found) return;
    session.findings.add(std::move(*found));
    if (!is_all) lookout.finish({});  // otherwise all states have been expanded
  }
};

}  // namespace

std::unique_ptr<Search> make_runs_cycles(const SearchContext& context,
                                         const MakeExternalBfs& make_bfs,
                                         const RunsCyclesSettings& settings) {
  return std::make_unique<RunsCycles>(context, make_bfs, settings);
}

}  // namespace spillway
