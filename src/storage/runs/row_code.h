// The code for rows of a sorted run, each relative to its predecessor.
//
// A group holds all its rows but the first.
//
// Rows of one to four words, which are most of what a search reads, are decoded without branches.
// Four bits give the length of each difference minus one: in bytes for rows of one and two words,
// in pairs of bytes for rows of three and four.  The bytes of the differences follow.
//
// Longer rows: the index of the most significant word that differs, the difference of that word,
// and the exclusive or of each lower word with that of the predecessor.  Numbers are groups of
// seven bits, least significant first, with the highest bit set in all but the last.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/state.h"
#include "storage/runs/row_order.h"

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

// A row of up to four words as one number.
template <std::size_t W>
class RowNumber {
 public:
  // The unit of lengths in bytes; a length has four bits.
  static constexpr std::size_t kUnit = W <= 2 ? 1 : 2;

  RowNumber() = default;
  explicit RowNumber(const void* bytes) { std::memcpy(words_, bytes, sizeof words_); }
  void write(void* bytes) const { std::memcpy(bytes, words_, sizeof words_); }
  Word word(std::size_t i) const { return words_[i]; }

  // Its length in units, minus one.  REQUIRES: it is not 0.
  unsigned length() const {
    std::size_t top = W - 1;
    while (top > 0 && words_[top] == 0) --top;
    const auto bits =
        static_cast<unsigned>(64 * top + 64 - static_cast<unsigned>(std::countl_zero(words_[top])));
    return (bits - 1) / (8 * kUnit);
  }
  // Clears all but the lowest `length` + 1 units.
  void cut(unsigned length) {
    for (std::size_t i = 0; i < W; ++i) words_[i] &= kLow[length][i];
  }
  RowNumber& operator+=(const RowNumber& other) {
    bool carry = false;
    for (std::size_t i = 0; i < W; ++i) {
      const Word sum = words_[i] + other.words_[i];
      const bool over = sum < other.words_[i];
      words_[i] = sum + (carry ? 1 : 0);
      carry = over || (carry && words_[i] == 0);
    }
    return *this;
  }
  RowNumber& operator-=(const RowNumber& other) {
    bool borrow = false;
    for (std::size_t i = 0; i < W; ++i) {
      const Word difference = words_[i] - other.words_[i];
      const bool under = words_[i] < other.words_[i];
      words_[i] = difference - (borrow ? 1 : 0);
      borrow = under || (borrow && difference == 0);
    }
    return *this;
  }

 private:
  using Words = std::array<Word, W>;
  static constexpr std::array<Words, 16> kLow = [] {
    std::array<Words, 16> masks{};
    for (std::size_t length = 0; length < masks.size(); ++length)
      for (std::size_t byte = 0; byte < std::min((length + 1) * kUnit, 8 * W); ++byte)
        masks[length][byte / 8] |= Word{0xff} << 8 * (byte % 8);
    return masks;
  }();
  Word words_[W];
};

// Bytes that the lengths of a group take.
template <std::size_t W>
inline std::size_t length_bytes(std::size_t rows) {
  return W == 0 ? 0 : rows / 2;
}
// Groups may be read and written this many bytes past their end.
inline constexpr std::size_t kBeyondGroup = 4 * sizeof(Word);

// Writes length_bytes() bytes to `lengths` and the differences to `out`, and returns the end of the
// latter.  REQUIRES: rows strictly increasing; room for longest_code() for each row, plus
// kBeyondGroup.
template <std::size_t W>
inline std::uint8_t* put_group(std::uint8_t* lengths, std::uint8_t* out, const Word* rows,
                               std::size_t count, Width<W> width) {
  if constexpr (W != 0) {
    std::fill(lengths, lengths + length_bytes<W>(count), std::uint8_t{0});
    RowNumber<W> before(rows);
    for (std::size_t i = 1; i < count; ++i) {
      const RowNumber<W> row(rows + i * W);
      RowNumber<W> difference = row;
      difference -= before;
      const unsigned length = difference.length();
      lengths[(i - 1) / 2] |= static_cast<std::uint8_t>(length << (i - 1) % 2 * 4);
      difference.write(out);
      out += (length + 1) * RowNumber<W>::kUnit;
      before = row;
    }
    return out;
  }
  for (std::size_t i = 1; i < count; ++i)
    out = put_row(out, rows + i * width.words(), rows + (i - 1) * width.words(), width);
  return out;
}

// Calls put(i, row) for all rows of a group but the first, which is `row`.  Reads at most
// longest_code() bytes for each row, plus kBeyondGroup, even of damaged data.  Returns the end of
// the group.
template <std::size_t W, class Put>
inline const std::uint8_t* each_of_group(const std::uint8_t* lengths, const std::uint8_t* in,
                                         RowNumber<W> row, std::size_t count, Put put) {
  for (std::size_t i = 1; i < count; ++i) {
    const unsigned length = lengths[(i - 1) / 2] >> (i - 1) % 2 * 4 & 15;
    RowNumber<W> difference(in);
    difference.cut(length);
    row += difference;
    put(i, row);
    in += (length + 1) * RowNumber<W>::kUnit;
  }
  return in;
}

// Decodes all rows of a group but the first, which must be in place.  Reads no more than
// each_of_group().
template <std::size_t W>
inline const std::uint8_t* get_group(const std::uint8_t* lengths, const std::uint8_t* in,
                                     Word* rows, std::size_t count, Width<W> width) {
  if constexpr (W != 0) {
    return each_of_group(lengths, in, RowNumber<W>(rows), count,
                         [&](std::size_t i, const RowNumber<W>& row) { row.write(rows + i * W); });
  } else {
    for (std::size_t i = 1; i < count; ++i) {
      Word* const row = rows + i * width.words();
      copy_row(row, row - width.words(), width);
      in = get_row(in, row, width);
    }
    return in;
  }
}

}  // namespace spillway
