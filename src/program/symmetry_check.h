// Which of the symmetries that a program declares it does not have.
//
// A symmetry is real if a permutation of its identities, applied to a state, permutes the
// successors, failures and properties of the state and changes nothing else.  Whatever can tell
// identities apart by more than = and != breaks that: literals (the first value that `clear` gives
// is one), order, arithmetic, parameters with only some of them, numbers of elements of bags (which
// are kept in the order of their values), and loops whose turns depend on each other
// (program/turns.h).  What is decided here is on the safe side: a symmetry that is not named is
// real.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace spillway::program {

struct Asymmetry {
  std::size_t symmetry;  // its number in the program
  Position position;     // of what breaks it
  std::string why;
};

// At most one for each symmetry, in their order.
std::vector<Asymmetry> asymmetries(const Program& program);

}  // namespace spillway::program
