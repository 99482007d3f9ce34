// The place of each scalar of a state in its packed row.
//
// A scalar whose domain has n values is stored as a number from 0 to n.  0 means undefined, so a
// row of zeros is the state in which nothing is defined.  A scalar that is never undefined is
// stored as a number from 0 to n - 1.  Members of records and arrays follow each other without
// gaps, so the offset of an element is its number times the bits of one element.  The first
// variable is at the end of the row, in its most significant bits.  If the row has enough spare
// bits, each variable of up to 64 bits lies in one word.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bit_range.h"
#include "base/state.h"
#include "program/program.h"

namespace spillway::program {

// What is stored for the value with number `code` of the domain; 0 means undefined.
inline std::uint64_t stored_code(const Type& scalar, std::uint64_t code) {
  return code - (scalar.total ? 1 : 0);
}

std::uint64_t bits_of(const Type& type);
inline unsigned width_of(const Type& scalar) { return static_cast<unsigned>(bits_of(scalar)); }
// The first bit of a field, or of the element with this number.  Elements count from 0; that of a
// bag starts after its mark.
std::uint64_t field_bit(const Type& record, std::size_t field);
std::uint64_t element_bit(const Type& array_or_bag, std::uint64_t number);

class Layout {
 public:
  explicit Layout(const Program& program);

  std::uint64_t bits() const { return bits_; }  // of all variables, without those between them
  std::size_t words() const { return bits_ == 0 ? 1 : (bits_ + 63) / 64; }
  std::uint64_t variable_bit(std::size_t variable) const { return variable_bits_[variable]; }
  // The most significant bits of a row, which no variable uses.
  std::uint64_t free_bits() const { return free_bits_; }

  // The bits of each record, and of each array of scalars, that is in no other record or array of
  // them; of all other variables, too.
  std::vector<BitRange> records(const Program& program) const;

  // Where each cell is and what its codes stand for: the same for layouts whose rows mean the same.
  std::string text() const;

  // Cells are in the order of cells() in type.h, variable after variable.
  struct Cell {
    std::uint64_t bit;
    unsigned width;
    const Domain* domain;
    bool total;
  };
  const std::vector<Cell>& cells() const { return cells_; }

  void unpack(State row, Value* values) const;
  // REQUIRES: each value is in its domain, or undefined where it may be.
  void pack(const Value* values, Word* row) const;

 private:
  void add(const Type& type);

  std::vector<std::uint64_t> variable_bits_;
  std::vector<Cell> cells_;
  std::uint64_t bits_ = 0;
  std::uint64_t free_bits_ = 0;
};

std::uint64_t read_bits(const Word* row, std::uint64_t bit, unsigned width);
void write_bits(Word* row, std::uint64_t bit, unsigned width, std::uint64_t code);

}  // namespace spillway::program
