#include "check/acceptance.h"

namespace spillway {

Finding AcceptingPrefix::finding_of(const AcceptingCycle& cycle, LevelReader& levels) {
  std::vector<Rank> ranks = cycle.nodes;
  ranks.push_back(cycle.first);
  std::vector<std::vector<Word>> rows = states_.rows(levels, ranks);
  Finding finding{FindingKind::acceptance, 0, states_.level(cycle.first), std::move(rows.back())};
  rows.pop_back();
  finding.loop = std::move(rows);
  return finding;
}

std::optional<Finding> AcceptingPrefix::extend(LevelReader& levels, std::uint64_t end, bool is_all,
                                               Budget& budget) {
  states_.extend(levels, end, is_all);
  if (states_.size() == 0) return std::nullopt;  // no accepting cycle can begin
  std::optional<AcceptingCycle> cycle;
  {
    LeastPrefix::Settings settings;
    settings.poll = [this] { session_.lookout.look_up(); };
    settings.targets = states_.targets();
    LeastPrefix prefix(states_.edges(), all_sets(session_.model.acceptance_sets()), states_.ends(),
                       budget, crew_, settings);
    cycle = prefix.find(checked_);
  }
  checked_ = end;
  if (!cycle) return std::nullopt;
  return finding_of(*cycle, levels);
}

void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk) {
  search.free_visited();
  std::optional<Finding> found =
      AcceptingPrefix(session, budget, crew, disk)
          .extend(*search.level_reader(), session.levels.counts().levels.size(), true, budget);
  if (found) session.findings.add(std::move(*found));
}

}  // namespace spillway
