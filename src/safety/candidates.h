// Successors of one thread that may be new: those that were met a moment ago are dropped by a small cache, the others
// are collected, and made into sorted runs when there is no more room.
#pragma once

#include <vector>

#include "base/hash.h"
#include "base/pages.h"
#include "storage/row_order.h"
#include "storage/sorted_run.h"

namespace spillway {

template <std::size_t W>
class Candidates {
 public:
  // REQUIRES: cache_rows >= 2, rows >= 1.  Throws Error(usage) when the budget has no room for them.
  Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t cache_rows, std::size_t rows);

  void add(States successors);

  // Sorts what there is.
  void settle();
  // Afterwards, until clear(): sorted, each once.
  States rows() const { return {rows_, count_, width_.words()}; }
  const std::vector<SortedRun<W>>& runs() const { return runs_; }
  void clear();
  // Gives all memory back; nothing can be added any more.
  void free() {
    clear();
    pages_ = Pages();
  }

  RowSorter& sorter() { return sorter_; }

 private:
  void make_room();
  std::size_t place(const Word* row) const { return place_of(place_hash(row, width_.words()), cache_rows_); }

  ChunkStore& store_;
  const BlockShape shape_;
  const Width<W> width_;
  const std::size_t cache_rows_;
  const std::size_t room_;
  Pages pages_;
  Word* cache_;
  Word* rows_;
  std::size_t count_ = 0;
  std::vector<SortedRun<W>> runs_;
  RowSorter sorter_;
};

template <std::size_t W>
[[gnu::always_inline]] inline void Candidates<W>::add(States successors) {
  const std::size_t words = width_.words();
  for (const State t : successors) {
    if (count_ == room_) make_room();
    Word* const met = cache_ + place(t.data()) * words;
    copy_row(rows_ + count_ * words, t.data(), width_);
    count_ += same(met, t.data(), width_) ? 0 : 1;
    copy_row(met, t.data(), width_);
  }
}

}  // namespace spillway
