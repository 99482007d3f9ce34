#include "storage/bits/bit_vector.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "storage/table/table_entry.h"

namespace spillway {

BitVector::BitVector(Budget& budget, std::uint64_t bits)
    : bits_(bits), pages_(table_pages(budget, (bits + 63) / 64 * 8, "a vector of bits")) {}

BitVector::BitVector(Budget& budget, std::uint64_t bits, Disk& disk, Medium place) : bits_(bits) {
  const std::uint64_t left = budget.left();
  if (place == Medium::memory_if_there_is_room && count_words() * 8 <= left / 2)
    pages_ = table_pages(budget, count_words() * 8, "a vector of bits");
  else
    paged_ = std::make_unique<PagedBits>(budget, disk, count_words(), left / 8);
}

bool BitVector::set_shared(std::uint64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  if (paged_) return (paged_->fetch_or(i / 64, bit) & bit) != 0;
  return (std::atomic_ref(words()[i / 64]).fetch_or(bit) & bit) != 0;
}

bool BitVector::reset_shared(std::uint64_t i) {
  const std::uint64_t bit = std::uint64_t{1} << i % 64;
  if (paged_) return (paged_->fetch_and(i / 64, ~bit) & bit) != 0;
  return (std::atomic_ref(words()[i / 64]).fetch_and(~bit) & bit) != 0;
}

bool BitVector::get_shared(std::uint64_t i) const {
  if (paged_) return get(i);
  return (std::atomic_ref(words()[i / 64]).load() >> i % 64 & 1) != 0;
}

std::uint64_t BitVector::count(std::uint64_t from, std::uint64_t to) const {
  std::uint64_t ones = 0;
  for (std::uint64_t i = from; i < to;) {
    const std::uint64_t bits = std::min(to - i, 64 - i % 64);
    ones += static_cast<std::uint64_t>(std::popcount(word(i / 64) >> i % 64 << (64 - bits)));
    i += bits;
  }
  return ones;
}

void BitVector::clear() {
  if (paged_) return paged_->clear();
  std::memset(pages_.data(), 0, count_words() * 8);
}

void BitVector::fill(std::uint64_t bits) {
  clear();
  for (std::uint64_t i = 0; i < bits / 64; ++i) set_word(i, ~std::uint64_t{0});
  for (std::uint64_t i = bits / 64 * 64; i < bits; ++i) set(i);
}

void BitVector::flip() {
  for (std::uint64_t i = 0; i < bits_ / 64; ++i) set_word(i, ~word(i));
  if (bits_ % 64 == 0) return;
  set_word(bits_ / 64, word(bits_ / 64) ^ ((std::uint64_t{1} << bits_ % 64) - 1));
}

void BitVector::assign(const BitVector& other) {
  for (std::uint64_t i = 0; i < count_words(); ++i) set_word(i, other.word(i));
}

void BitVector::add(const BitVector& other) {
  for (std::uint64_t i = 0; i < count_words(); ++i) set_word(i, word(i) | other.word(i));
}

void BitVector::keep(const BitVector& other) {
  for (std::uint64_t i = 0; i < count_words(); ++i) set_word(i, word(i) & other.word(i));
}

std::uint64_t BitVector::next(std::uint64_t from, std::uint64_t end) const {
  const auto read = [this](std::uint64_t i) {
    if (paged_) return paged_->load(i);
    return std::atomic_ref(words()[i]).load(std::memory_order_relaxed);
  };
  if (from >= end) return end;
  std::uint64_t ones = read(from / 64) >> from % 64 << from % 64;
  for (std::uint64_t i = from / 64;;) {
    if (ones != 0)
      return std::min(end, i * 64 + static_cast<std::uint64_t>(std::countr_zero(ones)));
    if (++i >= (end + 63) / 64) return end;
    ones = read(i);
  }
}

}  // namespace spillway
