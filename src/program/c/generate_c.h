// The C text of a program: one file that implements spillway/model_abi.h.
#pragma once

#include <cstddef>
#include <string>

#include "program/program.h"
#include "program/symmetry/symmetric_cells.h"

namespace spillway::program {

// From this number of rules on, rules that differ only in numbers share their code, because a C
// compiler would take too long otherwise.
inline constexpr std::size_t kManyRules = 300;

// Rule indices are those of Instances, property indices those of reported_number().  The object
// contains no names; the caller takes them from the program.  When the word that
// spillway_stop_word() returns is not 0, all functions return soon, with arbitrary results. check()
// reports invariants that are false, and cover and reachable properties that hold.
//
// With `symmetric`, there is also spillway_canonical() of c_symmetry.h, unless that would be too
// long.
std::string generate_c(const Program& program, std::size_t many_rules = kManyRules,
                       const SymmetricCells* symmetric = nullptr);

}  // namespace spillway::program
