// A set of rows as sorted runs of growing size, like the tiers of a log-structured merge tree.
//
// Rows are added as a run.  When there are `fan_in` runs of similar size, they become one, so that
// a row is written few times and there are never many runs.  Nothing is looked up one by one: a
// set is compared with other sorted rows by going through both in order, on all threads.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "storage/runs/run_merge.h"
#include "storage/runs/sorted_run.h"
#include "storage/runs/team.h"
#include "storage/runs/team_merge.h"

namespace spillway {

struct RunTiers {
  std::size_t fan_in = 6;      // runs of similar size that become one; at least 2
  std::size_t most_runs = 64;  // besides the newest
};

template <std::size_t W>
class RunSet {
 public:
  // REQUIRES: the team outlives it.  If a call throws, the set can only be destroyed, or its
  // runs taken.
  // `history`: remembers where rows came from when runs are merged; may be nullptr.
  RunSet(Team<W>& team, const RunTiers& tiers, MergeHistory* history = nullptr)
      : team_(team), tiers_(tiers), history_(history) {}

  std::uint64_t size() const;  // rows
  std::size_t runs() const { return runs_.size(); }
  // The run that was added last.  REQUIRES: there is one.
  const SortedRun<W>& newest() const { return runs_.back(); }

  // From now on, what becomes of runs of the set when they are merged; at first they are kept.  If
  // they are spent and a call throws, the runs of the set cannot be read any more.
  void set_sources(Sources sources) { sources_ = sources; }

  // One run of the rows of the sources that are not in the set.  The sources are spent.  Throws Error(memory) if not even one thread has memory for it.
  SortedRun<W> subtract(RowSources<W> from, MergeObserver* observer = nullptr);

  // REQUIRES: runs of the shape of the team, none of whose rows is in the set.
  void add(SortedRun<W> run) {
    append(std::move(run));
    merge_tiers();
  }
  // The two steps of add(), for callers that have something to do in between.
  void append(SortedRun<W> run) { runs_.push_back(std::move(run)); }
  // Merges runs of similar size, with all smaller ones.  The newest run stays as it is.
  void merge_tiers();
  // The two newest runs become one.  REQUIRES: there are two.
  void join_newest();

  // Calls visit(rows) for all rows, in order, on this thread.  Merges runs first if memory does not
  // suffice to read all of them at once.
  template <class Visit>
  void each(Visit visit);
  // Calls visit(member, rows) for all rows, on all threads, in any order.  `visit` must not use the
  // rows of the member.
  template <class Visit>
  void each_in_parts(Visit visit) {
    for (const SortedRun<W>& run : runs_) spillway::each_in_parts(team_, run, visit);
  }

  // All runs, the newest last.  The set is empty afterwards.
  std::vector<SortedRun<W>> take_runs() { return std::exchange(runs_, {}); }

 private:
  RunViews<W> views() const;
  void reduce_older(std::size_t most);
  void make_fit(std::vector<SortedRun<W>>& from);

  Team<W>& team_;
  const RunTiers tiers_;
  MergeHistory* const history_;
  Sources sources_ = Sources::kept;
  std::vector<SortedRun<W>> runs_;  // the newest last
};

// One run of all rows of the sources, which are spent.
template <std::size_t W>
SortedRun<W> merge_rows(Team<W>& team, RowSources<W> sources);

// -------------------------------------------------------------------------------------------------

template <std::size_t W>
template <class Visit>
void RunSet<W>::each(Visit visit) {
  reduce_older(runs_at_once(team_) - 1);
  MergeSources<W> all;
  for (const SortedRun<W>& run : runs_)
    if (run.size() != 0) all.runs.push_back(&run);
  RowSorter sorter(team_.shape().words);
  merge_all(all, team_.shape(), team_.store().buffers(), sorter,
            [&](const Word* rows, std::size_t count) {
              visit(States(rows, count, team_.shape().words));
            });
}

}  // namespace spillway
