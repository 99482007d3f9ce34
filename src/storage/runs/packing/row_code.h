// The code for a row of a sorted run, relative to an earlier one.
//
// The index of the most significant word that differs, the difference of that word, and the
// exclusive or of each lower word with that of the earlier row.  Rows of one word have no index.
// Numbers are groups of seven bits, least significant first, with the highest bit set in all but
// the last.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/state.h"
#include "storage/runs/packing/row_order.h"

namespace spillway {

inline constexpr std::size_t kLongestNumber = 10;  // bytes

inline std::uint8_t* put_number(std::uint8_t* out, Word number) {
  while (number >= 0x80) {
    *out++ = static_cast<std::uint8_t>(number | 0x80);
    number >>= 7;
  }
  *out++ = static_cast<std::uint8_t>(number);
  return out;
}

inline const std::uint8_t* get_number(const std::uint8_t* in, Word& number) {
  Word byte = *in++;
  number = byte;
  if (byte < 0x80) [[likely]]
    return in;
  number &= 0x7f;
  for (unsigned shift = 7; shift < 64; shift += 7) {
    byte = *in++;
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return in;
}

template <std::size_t W>
inline std::size_t longest_code(Width<W> width) {
  return kLongestNumber * (width.words() + (W == 1 ? 0 : 1));
}

// REQUIRES: below(before, row); room for longest_code() bytes at `out`.
template <std::size_t W>
inline std::uint8_t* put_row(std::uint8_t* out, const Word* row, const Word* before,
                             Width<W> width) {
  if constexpr (W == 1) return put_number(out, *row - *before);
  std::size_t word = width.words() - 1;
  while (word > 0 && row[word] == before[word]) --word;
  out = put_number(out, word);
  out = put_number(out, row[word] - before[word]);
  while (word-- > 0) out = put_number(out, row[word] ^ before[word]);
  return out;
}

// `row` holds the predecessor on entry and the row on return.  Reads at most longest_code() bytes,
// even of damaged data.
template <std::size_t W>
inline const std::uint8_t* get_row(const std::uint8_t* in, Word* row, Width<W> width) {
  Word number = 0;
  if constexpr (W == 1) {
    in = get_number(in, number);
    *row += number;
    return in;
  }
  in = get_number(in, number);
  std::size_t word = number < width.words() ? number : width.words() - 1;
  in = get_number(in, number);
  row[word] += number;
  while (word-- > 0) {
    in = get_number(in, number);
    row[word] ^= number;
  }
  return in;
}

}  // namespace spillway
