#include "storage/states/bit_vector.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "storage/states/table_entry.h"

namespace spillway {

BitVector::BitVector(Budget& budget, std::uint64_t bits)
    : bits_(bits), pages_(table_pages(budget, (bits + 63) / 64 * 8, "a vector of bits")) {}

bool BitVector::set_shared(std::uint64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  return (std::atomic_ref(words()[i / 64]).fetch_or(bit) & bit) != 0;
}

bool BitVector::reset_shared(std::uint64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  return (std::atomic_ref(words()[i / 64]).fetch_and(~bit) & bit) != 0;
}

bool BitVector::get_shared(std::uint64_t i) const {
  return (std::atomic_ref(words()[i / 64]).load() >> i % 64 & 1) != 0;
}

std::uint64_t BitVector::count(std::uint64_t from, std::uint64_t to) const {
  std::uint64_t ones = 0;
  for (std::uint64_t i = from; i < to;) {
    const std::uint64_t bits = std::min(to - i, 64 - i % 64);
    ones += static_cast<std::uint64_t>(std::popcount(words()[i / 64] >> i % 64 << (64 - bits)));
    i += bits;
  }
  return ones;
}

void BitVector::clear() { std::memset(pages_.data(), 0, (bits_ + 63) / 64 * 8); }

void BitVector::fill(std::uint64_t bits) {
  clear();
  std::memset(pages_.data(), 0xff, bits / 64 * 8);
  for (std::uint64_t i = bits / 64 * 64; i < bits; ++i) set(i);
}

void BitVector::flip() {
  for (std::uint64_t i = 0; i < bits_ / 64; ++i) words()[i] = ~words()[i];
  if (bits_ % 64 != 0) words()[bits_ / 64] ^= (std::uint64_t{1} << bits_ % 64) - 1;
}

void BitVector::assign(const BitVector& other) {
  std::memcpy(pages_.data(), other.pages_.data(), (bits_ + 63) / 64 * 8);
}

void BitVector::add(const BitVector& other) {
  for (std::uint64_t i = 0; i < (bits_ + 63) / 64; ++i) words()[i] |= other.words()[i];
}

void BitVector::keep(const BitVector& other) {
  for (std::uint64_t i = 0; i < (bits_ + 63) / 64; ++i) words()[i] &= other.words()[i];
}

bool BitVector::meets(const BitVector& other) const {
  for (std::uint64_t i = 0; i < (bits_ + 63) / 64; ++i)
    if ((words()[i] & other.words()[i]) != 0) return true;
  return false;
}

bool BitVector::is_within(const BitVector& other) const {
  for (std::uint64_t i = 0; i < (bits_ + 63) / 64; ++i)
    if ((words()[i] & ~other.words()[i]) != 0) return false;
  return true;
}

std::uint64_t BitVector::next(std::uint64_t from, std::uint64_t end) const {
  const auto word = [this](std::uint64_t i) {
    return std::atomic_ref(words()[i]).load(std::memory_order_relaxed);
  };
  if (from >= end) return end;
  std::uint64_t ones = word(from / 64) >> from % 64 << from % 64;
  for (std::uint64_t i = from / 64;;) {
    if (ones != 0)
      return std::min(end, i * 64 + static_cast<std::uint64_t>(std::countr_zero(ones)));
    if (++i >= (end + 63) / 64) return end;
    ones = word(i);
  }
}

}  // namespace spillway
