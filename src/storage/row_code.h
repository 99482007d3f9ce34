// How a row is written down when the row before it in a sorted run is known, and how groups of rows are.
//
// Numbers are groups of seven bits, least significant first, the highest bit set in all but the last.  A row of one
// word: the difference.  More words: which word is the most significant that differs, the difference of that
// word, and the words below it combined with the earlier ones by exclusive or.
//
// A group: its rows but the first.  Rows of one and two words, which are most of what a search reads, are written so
// that they are read without a branch: how many bytes each difference has but one, in four bits, and, apart from that,
// those bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/state.h"
#include "storage/row_order.h"

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

// REQUIRES: below(before, row); longest_code() bytes behind `out`.
template <std::size_t W>
inline std::uint8_t* put_row(std::uint8_t* out, const Word* row, const Word* before, Width<W> width) {
  if constexpr (W == 1) return put_number(out, *row - *before);
  std::size_t word = width.words() - 1;
  while (word > 0 && row[word] == before[word]) --word;
  out = put_number(out, word);
  out = put_number(out, row[word] - before[word]);
  while (word-- > 0) out = put_number(out, row[word] ^ before[word]);
  return out;
}

// `row` holds the row before, and then the row.  Reads at most longest_code() bytes, whatever they are.
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

// Rows of one and two words as the numbers that they are.
template <std::size_t W>
struct RowNumber;
template <>
struct RowNumber<1> {
  using Type = Word;
  static int bits(Type number) { return 64 - std::countl_zero(number); }
};
template <>
struct RowNumber<2> {
  __extension__ using Type = unsigned __int128;
  static int bits(Type number) {
    const auto high = static_cast<Word>(number >> 64);
    return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(static_cast<Word>(number));
  }
};

// Masks of one byte, two, and so on; of no more than the number has.
template <std::size_t W>
inline constexpr auto kLowBytes = [] {
  std::array<typename RowNumber<W>::Type, 16> masks{};
  for (std::size_t i = 0; i < masks.size(); ++i)
    for (std::size_t byte = 0; byte <= std::min(i, sizeof masks[0] - 1); ++byte)
      masks[i] |= typename RowNumber<W>::Type{0xff} << 8 * byte;
  return masks;
}();

// Bytes for the lengths of a group.
template <std::size_t W>
inline std::size_t length_bytes(std::size_t rows) {
  return W == 0 ? 0 : rows / 2;
}
// So far behind its end a group may be read, and written.
inline constexpr std::size_t kBeyondGroup = 2 * sizeof(Word);

// Writes length_bytes() to `lengths`, the rest to `out`, and returns the end of that.
// REQUIRES: rows strictly increasing; room for longest_code() for each row, and kBeyondGroup.
template <std::size_t W>
inline std::uint8_t* put_group(std::uint8_t* lengths, std::uint8_t* out, const Word* rows, std::size_t count,
                               Width<W> width) {
  if constexpr (W != 0) {
    typename RowNumber<W>::Type before, row;
    std::fill(lengths, lengths + length_bytes<W>(count), std::uint8_t{0});
    std::memcpy(&before, rows, sizeof before);
    for (std::size_t i = 1; i < count; ++i, before = row) {
      std::memcpy(&row, rows + i * W, sizeof row);
      const auto difference = row - before;
      const auto more = static_cast<unsigned>(RowNumber<W>::bits(difference) - 1) / 8;  // bytes than one
      lengths[(i - 1) / 2] |= static_cast<std::uint8_t>(more << (i - 1) % 2 * 4);
      std::memcpy(out, &difference, sizeof difference);
      out += more + 1;
    }
    return out;
  }
  for (std::size_t i = 1; i < count; ++i)
    out = put_row(out, rows + i * width.words(), rows + (i - 1) * width.words(), width);
  return out;
}

// The first row is there.  Reads at most longest_code() bytes for each row, and kBeyondGroup, whatever they are.
template <std::size_t W>
inline const std::uint8_t* get_group(const std::uint8_t* lengths, const std::uint8_t* in, Word* rows, std::size_t count,
                                     Width<W> width) {
  if constexpr (W != 0) {
    typename RowNumber<W>::Type row, difference;
    std::memcpy(&row, rows, sizeof row);
    for (std::size_t i = 1; i < count; ++i) {
      const unsigned more = lengths[(i - 1) / 2] >> (i - 1) % 2 * 4 & 15;
      std::memcpy(&difference, in, sizeof difference);
      row += difference & kLowBytes<W>[more];
      std::memcpy(rows + i * W, &row, sizeof row);
      in += more + 1;
    }
    return in;
  }
  for (std::size_t i = 1; i < count; ++i) {
    Word* const row = rows + i * width.words();
    copy_row(row, row - width.words(), width);
    in = get_row(in, row, width);
  }
  return in;
}

}  // namespace spillway
