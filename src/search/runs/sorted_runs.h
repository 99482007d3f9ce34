// Sorted-run search: exact breadth-first search whose visited set is a few sorted, packed runs
// of states.
//
// Idea.  Keep what was visited as sorted runs, in memory or on disk, a few bytes a state. Expand
// a level in order; of its successors, throw away those seen recently (a small cache), sort the
// others, subtract the runs from them by going through both in order, and what remains is the
// next level and the newest run. Nothing is looked up at random, and nothing is kept in memory
// for every state.
//
// Source.  Our own. Delayed duplicate detection with sorting: Munagala and Ranade 1999, Korf
// 2004; here states are whole, and stay in their own order, in which neighbours share most of
// their bits and successors come near each other.
//
//   F := sorted(init);  V := {F}
//   while F is not empty:
//     C := {};  for s in F, t in succ(s): if t is not in the cache: add t to the cache and to C
//     F := unique(sorted(C)) minus each run of V;  add F to V
//     merge runs of V that are of similar size
//
// Rows.  Bits that are the same in all states seen are left out where that saves a word
// (storage/runs/packing/row_squeeze.h).
//
// Levels.  Merged runs do not tell levels apart.  Narrow levels are copied, wide ones are found
// again by marks that merges leave (storage/runs/merge_history.h).
//
// Cost.  Sorting: 10 to 15 ns for each successor that the cache lets through, one to four for a
// new state. Subtracting: only groups of a run that could hold a successor are unpacked. Each
// state is written once, and again 1 to 2 times by merges.
//
// Departures.  None: levels are strict, and every state is expanded once.
#pragma once

#include <functional>
#include <memory>

#include "check/session/search.h"
#include "search/ram/handover.h"
#include "search/runs/sorted_runs_settings.h"

namespace spillway {

// A sorted-run search that can take over from a search in memory.
class RunsContinuation : public Continuation, public LevelReader {
 public:
  using Continuation::Continuation;

  LevelReader* level_reader() override { return this; }
};

// The least budget for rows of `words` words, for any number of threads, with or without what a
// journal takes.
std::uint64_t least_sorted_runs_budget(std::size_t words, bool journal);
// Throws Error(usage) when the budget is not enough.
void need_sorted_runs_bytes(const SearchContext& context, const SortedRunsSettings& settings);

// Both throw that.
std::unique_ptr<Search> make_sorted_runs(const SearchContext& context);
std::unique_ptr<RunsContinuation> make_sorted_runs(const SearchContext& context,
                                                   const SortedRunsSettings& settings);

}  // namespace spillway
