// SPILLED LEVELS: sorted-run search that looks for accepting cycles as it goes.
//
// Idea.  What `levels` does, beyond memory. Search as sorted runs do. Whenever the number of states
// has doubled, expand the levels since the last time once more, and sort what an accepting cycle
// can have of their steps together with the states, which gives edges between ranks
// (state_graph.h). These are packed, on disk where needed, and checked by passes with two bits
// for each state.
//
// Source.  Our own; docs/design/ltl.md.
//
//   as sorted runs; after a level, if the number of states has doubled, or after the last one:
//     number the states of the new levels;  sort and join their steps;  pack the edges
//     if trim(edges) has an accepting cycle: report that of the least prefix
//
// Cost.  All states are expanded twice. A step that is kept is sorted once, and twice if its target
// is not among the states that came last. Two bits of memory for each state through which an
// accepting cycle may lead; where they do not fit, on disk, with some pages in memory.
//
// Departures.  None: the cycle that is reported is that of `levels`.
#pragma once

#include <cstdint>
#include <memory>

#include "check/graph/levels_of_all_ranks.h"
#include "check/graph/state_graph.h"
#include "check/session/search.h"
#include "search/ram/handover.h"

namespace spillway {

// Sizes that only tests and measurements change.
struct RunsCyclesSettings {
  // Of the number of states between two checks: at first, and from many states on.
  double growth = 2;
  double later_growth = 4;
  std::uint64_t many = std::uint64_t{1} << 18;
  std::uint64_t first_check = std::uint64_t{1} << 16;  // states at the first one
  StateGraphSettings ranked = {};
  LevelsOfAllRanksSettings shared = {};  // on several ranks
};

// Can take over from make_interruptible_ram_cycles().
class CyclesContinuation : public LevelSearch {
 public:
  using LevelSearch::LevelSearch;
  // See Continuation.
  virtual void continue_from(std::unique_ptr<InterruptibleSearch> ram, Handover left) = 0;
};

// With a journal, checks come at the same levels in a search that was resumed as in one that was
// not. REQUIRES: the model has an acceptance property.
std::unique_ptr<CyclesContinuation> make_runs_cycles(const SearchContext& context,
                                                     const MakeContinuation& make_bfs,
                                                     const RunsCyclesSettings& settings = {});

}  // namespace spillway
