#include "storage/runs/packing/row_squeeze.h"

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
    : words_(spread.squeezed_words()), bmi2_(level >= VectorLevel::avx2), differ_(spread.differ_) {
  unsigned at = 0;
  for (std::size_t i = 0; i < spread.first_.size(); ++i) {
    alike_.push_back(spread.first_[i] & ~differ_[i]);
    const auto bits = static_cast<unsigned>(std::popcount(differ_[i]));
    if (bits == 0) continue;
    const unsigned shift = at % 64;
    const unsigned room = shift + bits >= 64 ? 64 - shift : 0;
    parts_.push_back({differ_[i], static_cast<std::uint32_t>(i), static_cast<std::uint8_t>(shift),
                      static_cast<std::uint8_t>(room), shift + bits > 64});
    at += bits;
  }
  has_rest_ = at % 64 != 0 || at == 0;
}

}  // namespace spillway
