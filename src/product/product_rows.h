// The rows of a product: a row of the system, and the state of an automaton in the most significant
// bits, so that states of a product are sorted by it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/state.h"

namespace spillway {

class ProductRows {
 public:
  // `free_bits`: the most significant bits of a system's row that are always zero.  If they do not
  // suffice for the automaton, rows get another word.
  ProductRows(std::size_t system_words, std::size_t free_bits, std::uint32_t automaton_states);

  std::size_t words() const { return words_; }
  unsigned state_bits() const { return bits_; }

  std::uint32_t automaton_state(State row) const {
    return static_cast<std::uint32_t>(row[words_ - 1] >> shift_);
  }
  // Of any row: std::nullopt if it is not below `states`.
  std::optional<std::uint32_t> automaton_state_within(State row, std::size_t states) const {
    const Word state = row[words_ - 1] >> shift_;
    return state < states ? std::optional(static_cast<std::uint32_t>(state)) : std::nullopt;
  }
  // The system's row.  Valid as long as `row` and `room`, which has room for it.
  State system(State row, std::vector<Word>& room) const;
  // REQUIRES: `out` has room for a row.
  void write(State system, std::uint32_t automaton_state, Word* out) const;

 private:
  const std::size_t system_words_;
  const unsigned bits_;  // of an automaton's state
  const std::size_t words_;
  const unsigned shift_;  // of its least bit in the last word
};

}  // namespace spillway
