#include "product/product_rows.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace spillway {

ProductRows::ProductRows(std::size_t system_words, std::size_t free_bits,
                         std::uint32_t automaton_states)
    : system_words_(system_words),
      bits_(static_cast<unsigned>(std::bit_width(std::max(automaton_states, 2U) - 1))),
      words_(free_bits > bits_ ? system_words : system_words + 1),
      shift_(words_ == system_words ? 64 - bits_ : 0) {}

State ProductRows::system(State row, std::vector<Word>& room) const {
  if (words_ != system_words_) return row.first(system_words_);
  room.assign(row.begin(), row.end());
  room.back() = row.back() << bits_ >> bits_;
  return room;
}

void ProductRows::write(State system, std::uint32_t automaton_state, Word* out) const {
  std::ranges::copy(system, out);
  if (words_ != system_words_) {
    out[system_words_] = automaton_state;
    return;
  }
  SPILLWAY_CHECK(system.back() >> shift_ == 0);  // those bits are free
  out[words_ - 1] |= Word{automaton_state} << shift_;
}

}  // namespace spillway
