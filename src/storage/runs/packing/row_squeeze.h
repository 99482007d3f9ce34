// Rows without the bits that are the same in all of them.
//
// Rows have room for every value that the types of a model allow, and most models use few of them:
// of ten words often four are left without the bits that never change.  Squeezing preserves the
// order of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/process/vector_level.h"
#include "base/state.h"

namespace spillway {

// Extracts the bits of a mask from a word into adjacent bits; and the inverse.
struct LoopOverBits {
  static Word gather(Word word, Word mask) {
    Word gathered = 0;
    for (Word bit = 1; mask != 0; bit <<= 1, mask &= mask - 1)
      if ((word & mask & -mask) != 0) gathered |= bit;
    return gathered;
  }
  static Word spread(Word gathered, Word mask) {
    Word word = 0;
    for (; mask != 0; gathered >>= 1, mask &= mask - 1)
      if ((gathered & 1) != 0) word |= mask & -mask;
    return word;
  }
};

#ifdef __x86_64__
// By one instruction of VectorLevel::avx2.  In assembler, because compilers inline an intrinsic
// only into functions that are for such processors altogether.
struct Bmi2Bits {
  static Word gather(Word word, Word mask) {
    Word gathered;
    asm("pext %2, %1, %0" : "=r"(gathered) : "r"(word), "r"(mask));
    return gathered;
  }
  static Word spread(Word gathered, Word mask) {
    Word word;
    asm("pdep %2, %1, %0" : "=r"(word) : "r"(gathered), "r"(mask));
    return word;
  }
};
#else
using Bmi2Bits = LoopOverBits;
#endif

// The bits in which some rows differ.
class RowSpread {
 public:
  explicit RowSpread(std::size_t words) : first_(words), differ_(words) {}

  void add(const Word* row) {
    if (empty_) begin(row);
    for (std::size_t i = 0; i < first_.size(); ++i) differ_[i] |= first_[i] ^ row[i];
  }
  void add(States rows) {
    for (const State row : rows) add(row.data());
  }
  void add(const RowSpread& other);

  std::size_t row_words() const { return first_.size(); }
  std::size_t bits() const;            // that differ
  std::size_t squeezed_words() const;  // words needed for them, at least one

 private:
  friend class RowSqueeze;
  void begin(const Word* row);

  bool empty_ = true;
  std::vector<Word> first_;
  std::vector<Word> differ_;
};

class RowSqueeze {
 public:
  // REQUIRES: level <= processor_level().
  explicit RowSqueeze(const RowSpread& spread, VectorLevel level = vector_level());

  std::size_t words() const { return words_; }  // of a squeezed row

  // False if a bit outside the spread differs from that of all rows of the spread; `squeezed` is
  // meaningless then.
  bool squeeze(const Word* row, Word* squeezed) const {
    return bmi2_ ? squeeze_by<Bmi2Bits>(row, squeezed) : squeeze_by<LoopOverBits>(row, squeezed);
  }
  void widen(const Word* squeezed, Word* row) const {
    bmi2_ ? widen_by<Bmi2Bits>(squeezed, row) : widen_by<LoopOverBits>(squeezed, row);
  }

 private:
  template <class Bits>
  bool squeeze_by(const Word* row, Word* squeezed) const {
    Word odd = 0;
    for (std::size_t i = 0; i < alike_.size(); ++i) odd |= (row[i] ^ alike_[i]) & ~differ_[i];
    Word open = 0;  // the squeezed word that has room, in a register
    for (const WordPart& part : parts_) {
      const Word bits = Bits::gather(row[part.word], part.differ);
      open |= bits << part.shift;
      if (part.room == 0) continue;
      *squeezed++ = open;
      open = bits >> 1 >> (part.room - 1);  // all 64 may have had room
    }
    if (has_rest_) *squeezed = open;
    return odd == 0;
  }
  template <class Bits>
  void widen_by(const Word* squeezed, Word* row) const {
    for (std::size_t i = 0; i < alike_.size(); ++i) row[i] = alike_[i];
    for (const WordPart& part : parts_) {
      Word bits = *squeezed >> part.shift;
      if (part.room != 0) {
        ++squeezed;
        if (part.more) bits |= *squeezed << part.room;
      }
      row[part.word] |= Bits::spread(bits, part.differ);
    }
  }

  struct WordPart {      // a word of a row, some bits of which differ
    Word differ;         // mask of them
    std::uint32_t word;  // its place in the row
    std::uint8_t shift;  // position of the bits in the squeezed word that has room
    std::uint8_t room;   // bits for which that has room, if it is full then; 0: it is not
    bool more;           // bits than that
  };
  std::size_t words_;
  bool bmi2_;
  bool has_rest_;  // the last squeezed word is not full
  std::vector<Word> differ_;
  std::vector<Word> alike_;  // the bits that are the same in all rows
  std::vector<WordPart> parts_;
};

}  // namespace spillway
