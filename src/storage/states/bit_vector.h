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
  // Returns the previous value.  Any number of threads, if all of them use this and get_shared()
  // only.
  bool set_shared(std::uint64_t i);
  bool get_shared(std::uint64_t i) const;

  std::uint64_t count() const;  // of ones
  void clear();

 private:
  std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(pages_.data()); }

  std::uint64_t bits_;
  Pages pages_;
};

}  // namespace spillway
