// Successors of one thread that may be new: those that were met a moment ago are dropped, the others are sorted.
#pragma once

#include "safety/recent_rows.h"
#include "storage/external_sort.h"

namespace spillway {

template <std::size_t W>
class Candidates {
 public:
  // REQUIRES: recent_rows >= 2, rows >= 1.  Throws Error(usage) when the budget has no room for them.
  Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t recent_rows, std::size_t rows)
      : width_(shape.words), recent_(budget, shape.words, recent_rows), sort_(budget, store, shape, rows) {}

  [[gnu::always_inline]] void add(States successors) {
    for (const State t : successors) {
      copy_row(sort_.place(), t.data(), width_);
      sort_.keep(!recent_.meet(t.data(), place_hash(t.data(), width_.words())));
    }
  }
  ExternalSort<W>& sort() { return sort_; }

 private:
  const Width<W> width_;
  RecentRows<W> recent_;
  ExternalSort<W> sort_;
};

}  // namespace spillway
