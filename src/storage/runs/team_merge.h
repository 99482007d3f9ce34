// Merges sorted runs on all threads of a team: the union of some runs, or their rows that are in
// none of some other runs.
//
// The sources are cut into parts by ranges of rows.  Each part is merged, compared with the other
// runs and written by one thread.  Where memory is short, fewer threads take part.
#pragma once

#include <cstdint>
#include <vector>

#include "storage/runs/merge_history.h"
#include "storage/runs/run_merge.h"
#include "storage/runs/sorted_run.h"
#include "storage/runs/team.h"

namespace spillway {

// Sees what a merge writes.
class MergeObserver {
 public:
  virtual ~MergeObserver() = default;
  // Receives every block that is written, from any thread; nullptr: nobody does.
  virtual BlockKeeper* blocks() { return nullptr; }
  // Some rows that are written by this thread, above all others that it has written since
  // end_part().
  virtual void rows(unsigned thread, States rows) = 0;
  // The thread has written all rows of a part.
  virtual void end_part(unsigned thread) = 0;
};

template <std::size_t W>
using RunViews = std::vector<const SortedRun<W>*>;

// One run of all rows of the sources.  `marks`: of runs that have no row in common, in this order;
// may be nullptr.
template <std::size_t W>
SortedRun<W> merge_runs(Team<W>& team, const MergeSources<W>& sources,
                        MarkedMerge* marks = nullptr);
// One run of the rows of the sources that are in none of `runs`.  `observer` may be nullptr.
template <std::size_t W>
SortedRun<W> subtract_runs(Team<W>& team, const MergeSources<W>& sources, const RunViews<W>& runs,
                           MergeObserver* observer = nullptr);

// What one thread takes for each of these: a chunk of every run on disk is open, some are read
// ahead, rows of the sources are unpacked, and it writes.
template <std::size_t W>
std::uint64_t bytes_to_merge(const Team<W>& team, const MergeSources<W>& sources);
template <std::size_t W>
std::uint64_t bytes_to_subtract(const Team<W>& team, const MergeSources<W>& sources,
                                const RunViews<W>& runs);

// The number of runs that one thread can merge with the memory that is left; at least 2.
template <std::size_t W>
std::size_t runs_at_once(const Team<W>& team);
// What becomes of runs while they are merged into another.
enum class Sources {
  kept,   // they stay as they are until the other is complete
  spent,  // what was read of them is freed on disk
};
// Merges the smallest of some runs until there are at most `most`.  With a history, which may be
// nullptr, runs have no row in common.  If it throws, no run is lost, unless sources are spent.
// REQUIRES: most >= 1.
template <std::size_t W>
void merge_smallest(Team<W>& team, std::vector<SortedRun<W>>& runs, std::size_t most,
                    Sources sources, MergeHistory* history = nullptr);

// Calls visit(rows) for the blocks [first, end) of a run, in order, and reads `chunks_ahead` chunks
// ahead.  REQUIRES: `rows` has room for a block.
template <std::size_t W, class Visit>
void each_block(const SortedRun<W>& run, std::uint64_t first, std::uint64_t end,
                ChunkBuffers& buffers, std::size_t chunks_ahead, BlockUnpacker<W>& unpacker,
                std::vector<Word>& rows, Visit visit) {
  if (first == end) return;
  ReadAhead ahead(buffers, chunks_ahead);
  RunBlockReader<W> reader(run, unpacker, ahead);
  reader.go_to(first);
  const std::size_t end_chunk = run.index().chunk_with(end - 1) + 1;
  for (std::uint64_t block = first; block < end; ++block) {
    if (block != first) reader.next();
    BlockUnpacker<W>& opened = reader.open();
    opened.unpack(rows.data());
    const std::size_t count = opened.rows();  // `visit` may open others
    reader.expect_from(reader.chunk() + 1, end_chunk, chunks_ahead);
    visit(States(rows.data(), count, run.shape().words));
  }
}

// Calls visit(member, rows) for all rows of a run, on all threads, in any order.  `visit` must not
// use the rows of the member.
template <std::size_t W, class Visit>
void each_in_parts(Team<W>& team, const SortedRun<W>& run, Visit visit) {
  // Many strides for balance, but not more than needed: neighbours share chunks.
  const std::uint64_t stride = run.blocks() / (16 * team.size()) + 1;
  const std::size_t strides = (run.blocks() + stride - 1) / stride;
  team.share_out(strides, run.size(), [&](typename Team<W>::Member& member, std::size_t i) {
    each_block(run, i * stride, std::min(run.blocks(), (i + 1) * stride), team.store().buffers(),
               team.sizes().chunks_ahead, member.unpacker, member.rows,
               [&](States rows) { visit(member, rows); });
  });
}

}  // namespace spillway
