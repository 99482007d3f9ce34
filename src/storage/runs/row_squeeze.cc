#include "storage/runs/row_squeeze.h"

#include <algorithm>
#include <bit>

namespace spillway {

void RowSpread::begin(const Word* row) {
  std::copy(row, row + first_.size(), first_.begin());
  empty_ = false;
}

void RowSpread::add(const RowSpread& other) {
  if (other.empty_) return;
  add(other.first_.data());
  for (std::size_t i = 0; i < differ_.size(); ++i) differ_[i] |= other.differ_[i];
}

std::size_t RowSpread::bits() const {
  std::size_t bits = 0;
  for (const Word word : differ_) bits += static_cast<std::size_t>(std::popcount(word));
  return bits;
}

std::size_t RowSpread::squeezed_words() const {
  return std::max<std::size_t>(1, (bits() + 63) / 64);
}

RowSqueeze::RowSqueeze(const RowSpread& spread, VectorLevel level)
    : words_(spread.squeezed_words()), bmi2_(level >= VectorLevel::avx2) {
  unsigned at = 0;
  for (std::size_t i = 0; i < spread.first_.size(); ++i) {
    const Word differ = spread.differ_[i];
    const auto bits = static_cast<unsigned>(std::popcount(differ));
    const unsigned shift = at % 64;
    // A word without bits may come after the last that has room; it adds nothing, wherever that is.
    parts_.push_back({spread.first_[i] & ~differ, differ, bits == 0 ? 0 : at / 64,
                      bits == 0 ? 0 : shift, shift + bits > 64 ? 64 - shift : 0});
    at += bits;
  }
}

}  // namespace spillway
