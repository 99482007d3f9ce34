// A set of values of equal length, each with a number: the order in which they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/memory/claim.h"
#include "base/state.h"

namespace spillway {

class ValueSet {
 public:
  using Number = std::uint32_t;
  static constexpr Number kNone = UINT32_MAX;

  // `words`: of a value, more than 0.  `hash_bits`: fewer for tests, so that hashes are equal.
  ValueSet(Budget& budget, std::size_t words, unsigned hash_bits = 32);

  std::size_t words() const { return words_; }
  Number size() const { return size_; }
  const Word* operator[](Number number) const {
    return chunks_[number >> chunk_bits_].get() + (number & (chunk_values() - 1)) * words_;
  }

  // kNone: it is not there.
  Number find(const Word* value) const;
  // The number of the value, and whether it is new.  Throws Error(memory) if the budget refuses,
  // with the set unchanged, or if there are too many.
  std::pair<Number, bool> add(const Word* value);
  void clear();

 private:
  // Zero is empty; otherwise a part of the hash above the number and one.
  using Slot = std::uint64_t;

  std::size_t chunk_values() const { return std::size_t{1} << chunk_bits_; }
  std::uint32_t hash_of(const Word* value) const;
  std::size_t home(std::uint32_t hash) const { return hash & (slots_.size() - 1); }
  bool is(Slot slot, std::uint32_t hash, const Word* value) const;
  // Where the value is, or would be.
  std::size_t place(std::uint32_t hash, const Word* value) const;
  void grow();

  Budget& budget_;
  const std::size_t words_;
  const unsigned chunk_bits_;  // of the number of a value in its chunk
  const unsigned hash_bits_;
  Number size_ = 0;
  std::vector<std::unique_ptr<Word[]>> chunks_;
  std::vector<Slot> slots_;  // a power of two, at most half full
  std::vector<Claim> claims_;
  Claim of_slots_;
};

}  // namespace spillway
