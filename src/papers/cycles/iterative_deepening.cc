#include "papers/cycles/iterative_deepening.h"

#include "papers/cycles/double_dfs.h"
#include "papers/depth_first/depth_first.h"

namespace spillway {
namespace {

class IterativeDeepening final : public NumberedStatesSearch {
  const double growth;
  std::uint64_t next_check;
  std::uint64_t checks = 0;

 public:
  IterativeDeepening(const SearchContext& context, const MakeExternalBfs& make_bfs,
                     const IterativeSettings& s)
      : NumberedStatesSearch(context, make_bfs, s), growth(s.growth), next_check(s.first_check) {}

  void search() override {
    bfs->when_between_levels([this] {
      if (stored() < next_check) return;
      if (check(true)) lookout.finish({});
      next_check = static_cast<std::uint64_t>(static_cast<double>(stored()) * growth);
    });
    bfs->search();
    if (stored() != 0) check(false);
  }

 private:
  // Whether there is an accepting cycle.  `more`: the newest level is not expanded yet.
  bool check(bool more) {
    const InPhase deciding(lookout, Phase::deciding);
    PerfectHash hash = make_hash();
    if (!more) bfs->free_visited();
    SetStateNumbers numbers(hash, set_states);
    std::optional<BitVector> last;
    if (more) {
      last.emplace(budget, hash.size());
      each_of_level(levels_found(), [&](State state) { last->set(hash(state)); });
    }
    Store store = make_store({set_states.words(), 1}, "dfs-");
    DoubleDfs dfs(set_states, numbers, more ? &*last : nullptr, store);
    const std::optional<DoubleDfs::Cycle> cycle = dfs.search();
    note(hash);
    count("checks", ++checks);
    count("seeds", dfs.seeds());
    count("expanded_again", dfs.expanded());
    if (cycle) {
      announce_any_run(lookout);
      report(cycle->first, cycle->loop, depth_of(set_states.row(cycle->first)));
    }
    return cycle.has_value();
  }
};

}  // namespace

std::unique_ptr<Search> make_iterative_deepening(const SearchContext& context,
                                                 const MakeExternalBfs& make_bfs,
                                                 const IterativeSettings& settings) {
  return std::make_unique<IterativeDeepening>(context, make_bfs, settings);
}

}  // namespace spillway
