// Rows without the bits that are the same in all of them.
//
// Rows have room for every value that the types of a model allow, and most models use few of them:
// of ten words often four are left without the bits that never change.  Squeezing preserves the
// order of rows.
#pragma once

#include <cstddef>
#include <vector>

#include "base/state.h"
#include "base/vector_level.h"

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
    for (std::size_t i = 0; i < words_; ++i) squeezed[i] = 0;
    Word odd = 0;
    for (const Part& part : parts_) {
      odd |= (*row ^ part.alike) & ~part.differ;
      const Word bits = Bits::gather(*row++, part.differ);
      squeezed[part.word] |= bits << part.shift;
      if (part.rest != 0) squeezed[part.word + 1] |= bits >> part.rest;
    }
    return odd == 0;
  }
  template <class Bits>
  void widen_by(const Word* squeezed, Word* row) const {
    for (const Part& part : parts_) {
      Word bits = squeezed[part.word] >> part.shift;
      if (part.rest != 0) bits |= squeezed[part.word + 1] << part.rest;
      *row++ = Bits::spread(bits, part.differ) | part.alike;
    }
  }

  struct Part {      // a word of a row
    Word alike;      // its bits that are the same in all rows
    Word differ;     // mask of the others
    unsigned word;   // squeezed word that they go to
    unsigned shift;  // position in it
    unsigned rest;   // bits from this one on go to the next word; 0: none
  };
  std::size_t words_;
  bool bmi2_;
  std::vector<Part> parts_;
};

}  // namespace spillway
