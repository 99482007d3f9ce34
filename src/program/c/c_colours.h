// Writes the part of the C text that gives each identity its colour, round by round.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

// Cells that are read in the same way.  Their hashes may differ: those of one hash are a class.
struct CellShape {
  unsigned width;
  bool total;
  std::vector<SymmetricCells::CodeRange> parts;
  std::vector<std::size_t> groups;  // of the identities that index them
  std::vector<std::size_t> cells;
  std::vector<std::size_t> classes;   // of the cells
  std::vector<std::uint64_t> hashes;  // of the classes
};

class CColours {
 public:
  explicit CColours(const SymmetricCells& cells);

  // Defines first_round(t, sums), which returns the set of identities that cells hold, and
  // next_round(t, c, sums).
  std::string text() const;

 private:
  // Texts of one shape: tables, and what is done in the first and the next rounds.
  struct Texts {
    std::string tables, first, next;
  };

  void add(std::size_t cell);
  std::size_t group_of(std::uint32_t identity) const;
  // The code that is stored as this; 0: undefined.
  static std::uint64_t code_of(const CellShape& shape, std::uint64_t stored) {
    return stored + (shape.total ? 1 : 0);
  }
  // The identity that a code is, or identities().
  std::uint32_t held(const CellShape& shape, std::uint64_t code) const;

  std::vector<std::uint64_t> bits_of_cells(const CellShape& shape) const;
  void cell_tables(const CellShape& shape, const std::string& name, std::string& out) const;
  void held_function(const CellShape& shape, const std::string& name, std::string& out) const;
  std::string first_loop(const CellShape& shape, const std::string& body) const;
  std::string next_loop(const CellShape& shape, const std::string& body) const;
  void indexed(const CellShape& shape, const std::string& name, Texts& out) const;
  void holding(const CellShape& shape, const std::string& name, Texts& out) const;
  void indexed_and_holding(const CellShape& shape, const std::string& name, Texts& out) const;
  void any(const CellShape& shape, const std::string& name, Texts& out) const;

  const SymmetricCells& cells_;
  std::vector<CellShape> shapes_;
};

}  // namespace spillway::program
