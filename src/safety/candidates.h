// Successors of one thread that may be new: those that were met a moment ago are dropped, the others are sorted.
#pragma once

#include "safety/recent_rows.h"
#include "storage/external_sort.h"
#include "storage/row_squeeze.h"

namespace spillway {

template <std::size_t W>
class Candidates {
 public:
  // `squeeze`: what makes the rows that are sorted; nothing: they are sorted as they are.
  // REQUIRES: recent_rows >= 2, rows >= 1.  Throws Error(usage) when the budget has no room for them.
  Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, const RowSqueeze* squeeze,
             std::size_t recent_rows, std::size_t rows)
      : width_(shape.words),
        squeeze_(squeeze),
        recent_(budget, shape.words, recent_rows),
        sort_(budget, store, shape, rows) {}

  // Calls odd(state) for successors that cannot be squeezed.
  template <class Odd>
  [[gnu::always_inline]] void add(States successors, Odd odd) {
    if (squeeze_ != nullptr) return add_squeezed(successors, odd);
    for (const State t : successors) {
      copy_row(sort_.place(), t.data(), width_);
      sort_.keep(!recent_.meet(t.data(), place_hash(t.data(), width_.words())));
    }
  }
  ExternalSort<W>& sort() { return sort_; }

 private:
  template <class Odd>
  void add_squeezed(States successors, Odd odd) {
    for (const State t : successors) {
      Word* const row = sort_.place();
      if (!squeeze_->squeeze(t.data(), row)) [[unlikely]] {
        odd(t);
        continue;
      }
      sort_.keep(!recent_.meet(row, place_hash(row, width_.words())));
    }
  }

  const Width<W> width_;
  const RowSqueeze* const squeeze_;
  RecentRows<W> recent_;
  ExternalSort<W> sort_;
};

}  // namespace spillway
