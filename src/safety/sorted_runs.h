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
// (storage/runs/row_squeeze.h).
//
// Cost.  Sorting: 10 to 15 ns for each successor that the cache lets through, one to four for a
// new state. Subtracting: only groups of a run that could hold a successor are unpacked. Each
// state is written once, and again 1 to 2 times by merges.
//
// Departures.  None: levels are strict, and every state is expanded once.
#pragma once

#include <memory>

#include "check/search.h"
#include "safety/ram.h"

namespace spillway {

// Sizes, all 0: chosen from the budget.  Only tests and measurements set them.
struct SortedRunsSettings {
  std::size_t block_rows = 0;
  std::size_t group_rows = 0;
  std::size_t chunk_bytes = 0;
  std::size_t cache_rows = 0;      // of a thread
  std::size_t candidate_rows = 0;  // of a thread
  std::size_t merge_rows = 0;      // that a thread merges at once
  std::size_t reserve_bytes = 0;   // of the budget, for what is being read
  std::size_t chunks_ahead = 0;    // that a thread reads at once
  std::size_t fan_in = 6;          // runs of a size that are merged
  std::size_t parts = 4;           // per thread, of a level or a merge
  std::size_t alone_rows = 4096;   // up to so many are not worth waking threads
  std::size_t sort_rows =
      0;  // of what a RAM search leaves, sorted at once: signals have to wait for it
  std::size_t squeeze_states = 0;  // met before bits that are alike in all are left out of rows
  std::size_t sort_fan_in = 0;     // runs of candidates of a thread that are merged
  std::size_t most_runs = 0;       // of visited states
  std::size_t threads = 0;         // as many as have room, and there are
};

// A sorted-run search that can take over from a RAM search.
class Successor : public LevelSearch, public LevelReader {
 public:
  using LevelSearch::LevelSearch;

  LevelReader* level_reader() override { return this; }

  // Goes on where memory was full, instead of search().  Without a journal, only levels that were
  // not complete then have states for each_at_depth(): the first of them counts as 0 there.
  virtual void go_on(std::unique_ptr<Leavable> ram) = 0;

  // The visited set is no longer needed, only levels.
  virtual void free_visited() = 0;
};

// The least budget for rows of so many words, whatever the number of threads, and with what a
// journal takes.
std::uint64_t least_sorted_runs_budget(std::size_t words, bool journal);
// Throws Error(usage) when the budget is not enough.
void need_sorted_runs_bytes(const SearchContext& context, const SortedRunsSettings& settings);

// Both throw that.
std::unique_ptr<Search> make_sorted_runs(const SearchContext& context);
std::unique_ptr<Successor> make_sorted_runs(const SearchContext& context,
                                            const SortedRunsSettings& settings);

}  // namespace spillway
