// Successors of one thread that may be new: those that were met a moment ago are dropped by a small cache, the others
// are sorted.
#pragma once

#include "base/hash.h"
#include "base/pages.h"
#include "storage/external_sort.h"

namespace spillway {

template <std::size_t W>
class Candidates {
 public:
  // REQUIRES: cache_rows >= 2, rows >= 1.  Throws Error(usage) when the budget has no room for them.
  Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, std::size_t cache_rows, std::size_t rows);

  void add(States successors);
  ExternalSort<W>& sort() { return sort_; }

 private:
  std::size_t place(const Word* row) const { return place_of(place_hash(row, width_.words()), cache_rows_); }

  const Width<W> width_;
  const std::size_t cache_rows_;
  Pages pages_;
  Word* cache_;
  ExternalSort<W> sort_;
};

template <std::size_t W>
[[gnu::always_inline]] inline void Candidates<W>::add(States successors) {
  for (const State t : successors) {
    Word* const met = cache_ + place(t.data()) * width_.words();
    copy_row(sort_.place(), t.data(), width_);
    sort_.keep(!same(met, t.data(), width_));
    copy_row(met, t.data(), width_);
  }
}

}  // namespace spillway
