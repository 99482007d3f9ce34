#include "search/ram/runs_rule.h"

namespace spillway {

bool runs_are_faster(const RunsRule& rule, std::size_t words, std::uint64_t visited,
                     std::span<const Level> complete, std::uint64_t next) {
  if (words > rule.most_words || visited < rule.least_states) return false;
  if (complete.size() < 2 || visited / rule.most_levels > next) return false;
  // By a twentieth in two levels: in some graphs, every other level is small.  Where that holds, at
  // least half as many states as there are follow, in 96 of 100 cases (bench/engines.py --ahead).
  const std::uint64_t before = complete[complete.size() - 2].states;
  return next > before && next - before >= before / 20;
}

}  // namespace spillway
