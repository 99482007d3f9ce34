#include "storage/states/bit_vector.h"

#include <atomic>
#include <bit>
#include <cstring>

#include "storage/states/table_entry.h"

namespace spillway {

BitVector::BitVector(Budget& budget, std::uint64_t bits)
    : bits_(bits), pages_(table_pages(budget, (bits + 63) / 64 * 8, "a vector of bits")) {}

bool BitVector::set_shared(std::uint64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  return (std::atomic_ref(words()[i / 64]).fetch_or(bit, std::memory_order_relaxed) & bit) != 0;
}

bool BitVector::get_shared(std::uint64_t i) const {
  return (std::atomic_ref(words()[i / 64]).load(std::memory_order_relaxed) >> i % 64 & 1) != 0;
}

std::uint64_t BitVector::count() const {
  std::uint64_t ones = 0;
  for (std::uint64_t i = 0; i < (bits_ + 63) / 64; ++i)
    ones += static_cast<std::uint64_t>(std::popcount(words()[i]));
  return ones;
}

void BitVector::clear() { std::memset(pages_.data(), 0, (bits_ + 63) / 64 * 8); }

}  // namespace spillway
