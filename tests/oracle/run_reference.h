// Whether a system has a run of which a formula holds, and which is fair: by a way that shares
// nothing with the code under test.
//
// A node is a state of the system and a guess of which temporal subformulas hold there.  A step is
// allowed if the guesses before and after it fit the law of each operator.  A run is right if no
// guess promises for ever what never comes.
#pragma once

#include "ltl/formula/formula.h"
#include "random_system.h"

namespace spillway {

struct RunReference {
  bool stutters = true;         // a run that ends repeats its last state
  std::vector<RuleIndex> fair;  // each of these rules is an actor

  // REQUIRES: 2^(temporal operators) * states <= kMostNodes.
  static constexpr std::size_t kMostNodes = 256;
  bool has_run(const RandomSystem& system, const ltl::Formula& formula) const;
};

// How many operators are X F G U R W or M.
std::size_t temporal_operators(const ltl::Formula& formula);

}  // namespace spillway
