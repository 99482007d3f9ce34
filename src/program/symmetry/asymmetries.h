// Finds declared symmetries that the program does not have.
//
// A symmetry is real if a permutation of its identities, applied to a state, permutes the
// successors, failures and properties of the state and changes nothing else.  Anything that
// distinguishes identities by more than = and != breaks this: literals (including the first value,
// which `clear` assigns), order, arithmetic, parameters that range over some of them only, numbers
// of elements of bags (which are kept in the order of their values), and loops whose iterations
// depend on each other (program/symmetry/turn_order.h).  The analysis is conservative: a symmetry
// that it does not report is real.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "program/program.h"

namespace spillway::program {

struct Asymmetry {
  std::size_t symmetry;  // its number in the program
  Position position;     // of what breaks it
  std::string why;
};

// At most one per symmetry, in the order of the symmetries.
std::vector<Asymmetry> asymmetries(const Program& program);

// What in a proposition distinguishes identities of a symmetry of the program; std::nullopt if it
// is the same for all permutations of them.
std::optional<Asymmetry> asymmetry(const Program& program, const Property& proposition);

}  // namespace spillway::program
