// What formulas of branching time mean, state by state: slow and obvious.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "base/set_mask.h"
#include "ltl/formula/ctl.h"

namespace spillway {

struct LabelledGraph {
  std::vector<std::vector<std::uint64_t>> targets;
  std::vector<Letter> letters;
};

// Without edges to nodes from which no infinite path goes on.
LabelledGraph without_dead_ends(LabelledGraph graph);

// Where it holds, by the expansion laws of each operator for itself: p U q is q, or p and then p U
// q; the least set of states for which that is so if something must come, otherwise the largest.
// Paths are infinite.  A node from which none goes on counts as if it were not there: nothing is
// asked of it, and no other node can go there.
std::vector<bool> ctl_reference(const LabelledGraph& graph, const ltl::CtlFormula& formula);

// A formula in the propositions named, of about so many operators.
std::string random_ctl(std::mt19937_64& random, const std::vector<std::string>& names,
                       unsigned operators);

}  // namespace spillway
