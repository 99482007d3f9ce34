#include "papers/cycles/semi_external.h"

#include "papers/cycles/double_dfs.h"
#include "papers/depth_first/depth_first.h"

namespace spillway {
namespace {

class SemiExternal final : public NumberedStatesSearch {
 public:
  using NumberedStatesSearch::NumberedStatesSearch;

  void search() override {
    bfs->search();
    if (stored() == 0) return;
    const InPhase deciding(lookout, Phase::deciding);
    PerfectHash hash = make_hash();
    bfs->free_visited();
    SetStateNumbers numbers(hash, set_states);
    Store store = make_store({set_states.words(), 1}, "dfs-");
    DoubleDfs dfs(set_states, numbers, nullptr, store);
    const std::optional<DoubleDfs::Cycle> cycle = dfs.search();
    note(hash);
    count("seeds", dfs.seeds());
    count("expanded_again", dfs.expanded());
    if (cycle) {
      announce_any_run(lookout);
      report(cycle->first, cycle->loop, depth_of(set_states.row(cycle->first)));
    }
  }
};

}  // namespace

std::unique_ptr<Search> make_semi_external(const SearchContext& context,
                                           const MakeExternalBfs& make_bfs,
                                           const NumberedSettings& settings) {
  return std::make_unique<SemiExternal>(context, make_bfs, settings);
}

}  // namespace spillway
