// Pieces of the C text that finds representatives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

// `static const TYPE NAME[] = {...};`
std::string c_table(std::string_view type, const std::string& name,
                    const std::vector<std::uint64_t>& numbers);

// The line before a loop of so many turns.  In a small state, where all places are constants then.
std::string c_unroll(std::size_t turns, const SymmetricCells& cells);

// Does `body` for each k of the fields of `row` with these first bits.  It may be left out where a
// field is 0, and mostly is in a large state.
std::string c_for_nonzero(const std::vector<std::uint64_t>& bits, unsigned width,
                          const std::string& row, const std::string& body,
                          const SymmetricCells& cells);

// Whether so much of a state is seldom used that it pays to look for what is.
bool is_large(const SymmetricCells& cells);

// Before and behind what is made for the program.
extern const std::string_view kBeforeSymmetry;
extern const std::string_view kCanonical;

}  // namespace spillway::program
