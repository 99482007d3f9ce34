// Sorts more rows than memory has room for, and keeps each once.
//
// Rows are collected in memory. When there is no more room they are sorted by vector instructions, and if that brought
// too few of them to nothing, they become a sorted run. Some runs alike, eight unless told otherwise, are merged to
// one, so that there are never many. Runs and what is left in memory are merged by RowMerge. One sort is for one
// thread; those of several threads are merged together.
#pragma once

#include <vector>

#include "base/pages.h"
#include "storage/row_order.h"
#include "storage/run_merge.h"
#include "storage/sorted_run.h"

namespace spillway {

template <std::size_t W>
class ExternalSort {
 public:
  static constexpr std::size_t kFanIn = 8;

  // Room for `rows` rows at a time.  Runs have smaller blocks than `shape`, because many are read at a time.
  // REQUIRES: rows >= 1, fan_in >= 2.  Throws Error(usage) when the budget has not so much.
  ExternalSort(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t rows,
               std::size_t fan_in = kFanIn);

  // Of a run.
  static BlockShape run_shape(BlockShape shape);
  // What it takes of the budget for so many rows; and, while rows are added, besides, with buffers.
  static std::uint64_t bytes(const BlockShape& shape, std::size_t rows) {
    return rows * (shape.words * sizeof(Word) + RowSorter::bytes_per_row(shape.words));
  }
  static std::uint64_t bytes_to_spill(std::size_t chunk_bytes, std::size_t buffer_bytes, const BlockShape& shape,
                                      std::size_t fan_in);

  void add(States states) {
    for (const State s : states) {
      copy_row(place(1), s.data(), width_);
      keep(1);
    }
  }
  // The same in two steps: where the next rows go, and how many of them are wanted there.  REQUIRES: there is room for
  // so many.
  Word* place(std::size_t rows) {
    if (room_ - count_ < rows) make_room(rows);
    return rows_ + count_ * width_.words();
  }
  void keep(std::size_t rows) { count_ += rows; }

  // Sorts what is in memory.
  void settle() { count_ = sorter_.sort_unique(rows_, count_); }
  // Afterwards, until clear() -------------------------------------------------------------------------------
  std::size_t rows_in_memory() const { return count_; }
  void add_to(MergeSources<W>& sources) const;  // which must not outlive this
  // Moves its runs there: add_to() tells of what is in memory only.
  void give_runs(std::vector<SortedRun<W>>& to);
  void clear();

  // Gives all memory back; nothing can be added any more.
  void free() {
    clear();
    pages_ = Pages();
    claim_ = Claim();
  }

  RowSorter& sorter() { return sorter_; }

 private:
  struct Spilled {
    SortedRun<W> run;
    unsigned merges;  // that it has gone through
  };
  void make_room(std::size_t rows);
  void merge_last(std::size_t count);

  ChunkStore& store_;
  const BlockShape shape_;
  const Width<W> width_;
  const std::size_t room_;
  const std::size_t fan_in_;
  Pages pages_;
  Claim claim_;  // for what sorting needs
  Word* rows_;
  std::size_t count_ = 0;
  std::vector<Spilled> runs_;  // those that went through more merges first
  RowSorter sorter_;
};

}  // namespace spillway
