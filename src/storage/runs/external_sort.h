// Sorts more rows than fit into memory and removes duplicates.
//
// Rows are collected in memory.  When it is full they are sorted, by vector instructions, and
// duplicates are removed.  If that leaves too little room, because more than three quarters remain
// or the next rows do not fit, they become a sorted run.  As soon as `fan_in` runs have gone
// through the same number of merges, they are merged into one, so there are never many.  Runs and
// the rows left in memory are merged by RowMerge.  A sort belongs to one thread; the sorts of
// several threads are merged together.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory/pages.h"
#include "storage/runs/packing/row_order.h"
#include "storage/runs/run_merge.h"
#include "storage/runs/sorted_run.h"

namespace spillway {

template <std::size_t W>
class ExternalSort {
 public:
  static constexpr std::size_t kFanIn = 8;

  // Room for `rows` rows at a time.  Runs have smaller blocks than `shape`, because many are read
  // at a time.  `sorter`: of the thread, shared with others, with memory for `rows` rows that its
  // owner has drawn; nullptr: the sort has one of its own.  REQUIRES: rows >= 1, fan_in >= 2.
  // Throws Error(usage) or Error(memory) if the budget is too small.
  ExternalSort(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t rows,
               std::size_t fan_in = kFanIn, RowSorter* sorter = nullptr);

  // Calls this now and then while runs are merged.  It may throw.
  void poll_with(std::function<void()> poll) { poll_ = std::move(poll); }

  // The shape of blocks in a run.
  static BlockShape run_shape(BlockShape shape);
  // What it takes from the budget for `rows` rows; and what it takes in addition while rows are
  // added, including buffers.
  static std::uint64_t bytes(const BlockShape& shape, std::size_t rows) {
    return rows * (shape.words * sizeof(Word) + RowSorter::bytes_per_row(shape.words));
  }
  static std::uint64_t bytes_to_spill(std::size_t chunk_bytes, std::size_t buffer_bytes,
                                      const BlockShape& shape, std::size_t fan_in);

  void add(States states) {
    for (const State s : states) {
      copy_row(place(1), s.data(), width_);
      keep(1);
    }
  }
  // The same in two steps: place() returns room for `rows` rows, keep() says how many were written
  // there.  REQUIRES: the sort has room for `rows` rows.
  Word* place(std::size_t rows) {
    if (room_ - count_ < rows) make_room(rows);
    return rows_ + count_ * width_.words();
  }
  void keep(std::size_t rows) { count_ += rows; }

  // Sorts what is in memory and removes duplicates.
  void settle() { count_ = sorter().sort_unique(rows_, count_); }
  // After settle(), until clear() ----------------------------------------------------------------
  std::size_t rows_in_memory() const { return count_; }
  void add_to(MergeSources<W>& sources) const;  // views, valid until clear()
  // Moves the runs to `sources`, and adds a view of what is in memory.
  void give_to(RowSources<W>& sources);
  void clear();

  // Returns all memory to the budget; nothing can be added afterwards.
  void free() {
    clear();
    pages_ = Pages();
    claim_ = Claim();
  }

  RowSorter& sorter() { return own_sorter_ ? *own_sorter_ : *shared_sorter_; }

 private:
  struct Spilled {
    SortedRun<W> run;
    unsigned merges;  // that it has gone through
  };
  void make_room(std::size_t rows);
  void merge_last(std::size_t count);
  void add_memory_to(std::vector<States>& arrays) const;

  ChunkStore& store_;
  const BlockShape shape_;
  const Width<W> width_;
  const std::size_t room_;
  const std::size_t fan_in_;
  Pages pages_;
  std::optional<RowSorter> own_sorter_;
  RowSorter* shared_sorter_;
  Claim claim_;  // for its own sorter
  Word* rows_;
  std::size_t count_ = 0;
  std::vector<Spilled> runs_;  // more merges first
  std::function<void()> poll_ = [] {};
};

}  // namespace spillway
