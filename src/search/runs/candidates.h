// Successors of one thread that may be new: those that were seen recently are dropped, the others
// are sorted.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "search/ram/recent_rows.h"
#include "storage/runs/external_sort.h"
#include "storage/runs/packing/row_squeeze.h"

namespace spillway {

template <std::size_t W>
class alignas(128) Candidates {
 public:
  // `squeeze`: makes the rows that are sorted; nullptr: they are sorted as they are.  `sorter`: of
  // the thread, see ExternalSort.  REQUIRES: recent_rows >= 2, rows >= 1.  Throws Error(usage) if
  // the budget has no room for them.
  Candidates(Budget& budget, ChunkStore& store, const BlockShape& shape, const RowSqueeze* squeeze,
             std::size_t recent_rows, std::size_t rows, std::size_t fan_in, RowSorter& sorter)
      : width_(shape.words),
        squeeze_(squeeze),
        recent_(budget, shape.words, recent_rows),
        sort_(budget, store, shape, rows, fan_in, &sorter),
        together_(std::min(kTogether, rows)) {}

  // Calls odd(state) for successors that cannot be squeezed.
  template <class Odd>
  [[gnu::always_inline]] void add(States successors, Odd odd) {
    for (const State t : successors) {
      if (waiting_ == together_) look();
      if (waiting_ == 0) rows_ = sort_.place(together_);
      Word* const row = rows_ + waiting_ * width_.words();
      if (!in_form(t, row)) [[unlikely]] {
        odd(t);
        continue;
      }
      hashes_[waiting_] = place_hash(row, width_.words());
      recent_.expect(hashes_[waiting_++]);
    }
  }
  ExternalSort<W>& sort() {
    look();
    return sort_;
  }

 private:
  static constexpr std::size_t kTogether = 16;

  // Keeps those of the waiting rows that were not met a moment ago.
  void look() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < waiting_; ++i) {
      Word* const row = rows_ + kept * width_.words();
      copy_row(row, rows_ + i * width_.words(), width_);
      kept += recent_.meet(row, hashes_[i]) ? 0 : 1;
    }
    sort_.keep(kept);
    waiting_ = 0;
  }

  // False: it cannot be squeezed.
  bool in_form(State state, Word* row) const {
    if (squeeze_ != nullptr) return squeeze_->squeeze(state.data(), row);
    copy_row(row, state.data(), width_);
    return true;
  }

  const Width<W> width_;
  const RowSqueeze* const squeeze_;
  RecentRows<W> recent_;
  ExternalSort<W> sort_;

  // Some rows wait while their places among the recent ones are fetched from memory.
  const std::size_t together_;
  std::size_t waiting_ = 0;
  Word* rows_ = nullptr;  // where they lie: behind those that are sorted
  std::array<std::uint64_t, kTogether> hashes_{};
};

}  // namespace spillway
