// The code for the rows of a group, each relative to its predecessor.
//
// A group holds all its rows but the first.
//
// Rows of one to four words, which are most of what a search reads, are decoded without branches.
// The lengths of their differences stand before all groups of a block.
//
// Rows of one word: see bit_lengths.h.
// Rows of two to four words: four bits give the length of each difference minus one, in bytes for
// rows of two words, in pairs of bytes for rows of three and four.
// Longer rows: see row_code.h.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/state.h"
#include "storage/runs/packing/bit_lengths.h"
#include "storage/runs/packing/row_code.h"
#include "storage/runs/packing/row_order.h"

namespace spillway {

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

// Groups may be read and written this many bytes past their end.
inline constexpr std::size_t kBeyondGroup = 4 * sizeof(Word);

// The differences of the groups of one block.
template <std::size_t W>
class GroupCode {
 public:
  static constexpr std::size_t kHeadBytes = 0;  // that a block needs for it
  // Bytes that the lengths of a group take.
  static std::size_t length_bytes(std::size_t rows) { return W == 0 ? 0 : rows / 2; }

  // Writes length_bytes() bytes to `lengths` and the differences to `out`, and returns the end of
  // the latter.  REQUIRES: rows strictly increasing; room for longest_code() for each row, plus
  // kBeyondGroup; at `lengths` room for one byte a row, plus kBeyondGroup.
  std::uint8_t* put(std::uint8_t* lengths, std::uint8_t* out, const Word* rows, std::size_t count,
                    Width<W> width) const {
    if constexpr (W != 0) {
      std::fill(lengths, lengths + length_bytes(count), std::uint8_t{0});
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

  // Calls found(i, row) for all rows of a group but the first, which is `row`.  Reads at most
  // longest_code() bytes for each row, plus kBeyondGroup, even of damaged data.  Returns the end of
  // the group.
  template <class Found>
  const std::uint8_t* each(const std::uint8_t* lengths, const std::uint8_t* in, RowNumber<W> row,
                           std::size_t count, Found found) const {
    for (std::size_t i = 1; i < count; ++i) {
      const unsigned length = lengths[(i - 1) / 2] >> (i - 1) % 2 * 4 & 15;
      RowNumber<W> difference(in);
      difference.cut(length);
      row += difference;
      found(i, row);
      in += (length + 1) * RowNumber<W>::kUnit;
    }
    return in;
  }
};

template <>
class GroupCode<1> {
 public:
  static constexpr std::size_t kHeadBytes = BitLengths::kBytes;
  static std::size_t length_bytes(std::size_t rows) {
    return ((rows - 1) * BitLengths::kCodeBits + 7) / 8;
  }

  explicit GroupCode(const BitLengths& lengths = BitLengths::whole_bytes()) : lengths_(lengths) {}
  const BitLengths& lengths() const { return lengths_; }

  std::uint8_t* put(std::uint8_t* lengths, std::uint8_t* out, const Word* rows, std::size_t count,
                    Width<1>) const {
    BitWriter codes(lengths), differences(out);
    for (std::size_t i = 1; i < count; ++i) {
      const Word difference = rows[i] - rows[i - 1];
      const unsigned code = lengths_.code_for(static_cast<unsigned>(std::bit_width(difference)));
      codes.put(code, BitLengths::kCodeBits);
      differences.put(difference, lengths_.bits(code));
    }
    return differences.end();
  }

  template <class Found>
  const std::uint8_t* each(const std::uint8_t* lengths, const std::uint8_t* in, RowNumber<1> row,
                           std::size_t count, Found found) const {
    std::size_t bit = 0;
    Word number = row.word(0);
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t at = (i - 1) * BitLengths::kCodeBits;
      std::uint16_t codes = 0;
      std::memcpy(&codes, lengths + at / 8, sizeof codes);
      const unsigned code = codes >> at % 8 & (BitLengths::kCount - 1);
      number += lengths_.difference(in, bit, code);
      found(i, RowNumber<1>(&number));
      bit += lengths_.bits(code);
    }
    return in + (bit + 7) / 8;
  }

 private:
  BitLengths lengths_;
};

// Decodes all rows of a group but the first, which must be in place.  Reads no more than
// GroupCode::each().
template <std::size_t W>
inline const std::uint8_t* get_group(const GroupCode<W>& code, const std::uint8_t* lengths,
                                     const std::uint8_t* in, Word* rows, std::size_t count,
                                     Width<W> width) {
  if constexpr (W != 0) {
    return code.each(lengths, in, RowNumber<W>(rows), count,
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
