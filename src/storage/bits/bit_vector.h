// A vector of bits in memory, drawn from the budget, or on disk if it does not fit.
#pragma once

#include <cstdint>
#include <memory>

#include "base/memory/pages.h"
#include "storage/bits/paged_bits.h"

namespace spillway {

class BitVector {
 public:
  // All bits are zero.  Throws Error(usage) if the budget refuses.
  BitVector(Budget& budget, std::uint64_t bits);
  // The same with pages on disk, if it would take more than half of what the budget has left, or
  // always.  An eighth of that is for pages in memory.  All functions may throw errors of the disk
  // then.  REQUIRES: the disk outlives it.
  enum class Medium { memory_if_there_is_room, disk };
  BitVector(Budget& budget, std::uint64_t bits, Disk& disk, Medium place);

  std::uint64_t size() const { return bits_; }
  bool get(std::uint64_t i) const { return (word(i / 64) >> i % 64 & 1) != 0; }
  void set(std::uint64_t i) {
    if (paged_) [[unlikely]]
      set_shared(i);
    else
      words()[i / 64] |= std::uint64_t{1} << i % 64;
  }
  void reset(std::uint64_t i) {
    if (paged_) [[unlikely]]
      reset_shared(i);
    else
      words()[i / 64] &= ~(std::uint64_t{1} << i % 64);
  }
  // For any number of threads, if all of them use these only.  They have one order that all threads
  // agree on.  The first two return the previous value.
  bool set_shared(std::uint64_t i);
  bool reset_shared(std::uint64_t i);
  bool get_shared(std::uint64_t i) const;

  std::uint64_t count() const { return count(0, bits_); }  // of ones
  std::uint64_t count(std::uint64_t from, std::uint64_t to) const;
  void clear();
  // The first `bits` bits become 1, the others 0.
  void fill(std::uint64_t bits);
  void flip();  // all bits
  // REQUIRES: `other` has the same size.
  void assign(const BitVector& other);
  void add(const BitVector& other);   // 1 where it is 1 in one of them
  void keep(const BitVector& other);  // 1 where it is 1 in both
  // The first 1 at or after `from`, or size().  Others may change bits at the same time.
  std::uint64_t next(std::uint64_t from) const { return next(from, bits_); }
  // The first 1 from `from` to before `end`, or `end`.  REQUIRES: end <= size().
  std::uint64_t next(std::uint64_t from, std::uint64_t end) const;

 private:
  std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(pages_.data()); }
  std::uint64_t count_words() const { return (bits_ + 63) / 64; }
  std::uint64_t word(std::uint64_t i) const {
    if (paged_) [[unlikely]]
      return paged_->load(i);
    return words()[i];
  }
  void set_word(std::uint64_t i, std::uint64_t value) {
    if (paged_) [[unlikely]]
      paged_->store(i, value);
    else
      words()[i] = value;
  }

  std::uint64_t bits_;
  Pages pages_;
  std::unique_ptr<PagedBits> paged_;  // instead of pages in memory
};

}  // namespace spillway
