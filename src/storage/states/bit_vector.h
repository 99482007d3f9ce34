// A vector of bits in memory, drawn from the budget.
#pragma once

#include <cstdint>

#include "base/pages.h"

namespace spillway {

class BitVector {
 public:
  // All bits are zero.  Throws Error(usage) if the budget refuses.
  BitVector(Budget& budget, std::uint64_t bits);

  std::uint64_t size() const { return bits_; }
  bool get(std::uint64_t i) const { return (words()[i / 64] >> i % 64 & 1) != 0; }
  void set(std::uint64_t i) { words()[i / 64] |= std::uint64_t{1} << i % 64; }
  void reset(std::uint64_t i) { words()[i / 64] &= ~(std::uint64_t{1} << i % 64); }
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
  void add(const BitVector& other);              // 1 where it is 1 in one of them
  void keep(const BitVector& other);             // 1 where it is 1 in both
  bool meets(const BitVector& other) const;      // some bit is 1 in both
  bool is_within(const BitVector& other) const;  // no bit is 1 here only
  // The first 1 at or after `from`, or size().  Others may change bits at the same time.
  std::uint64_t next(std::uint64_t from) const { return next(from, bits_); }
  // The first 1 from `from` to before `end`, or `end`.  REQUIRES: end <= size().
  std::uint64_t next(std::uint64_t from, std::uint64_t end) const;

 private:
  std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(pages_.data()); }

  std::uint64_t bits_;
  Pages pages_;
};

}  // namespace spillway
