// Writes the C function that replaces a row by its representative: the same that
// Symmetries::canonical() finds, but from packed fields and with constants of the program.
//
//   void spillway_canonical(uint64_t *row, int exhaustive);
//
// What cells tell identities in the first round depends only on what is stored in them, so it comes
// from tables.  Blocks of bits are moved, not cells.
#pragma once

#include <cstddef>
#include <string>

#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

// A state with more cells is left to Symmetries: its text would be long.
inline constexpr std::size_t kMostSymmetricCells = 4096;

// Empty if there are no identities, or too many of them or of cells.
std::string symmetry_c(const SymmetricCells& cells);

}  // namespace spillway::program
