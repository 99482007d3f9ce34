// Automata on infinite words: generalized, with the acceptance sets on transitions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/set_mask.h"

namespace spillway::ltl {

// A conjunction of propositions and negated propositions.
struct Label {
  Letter positive = 0, negative = 0;
  bool admits(Letter letter) const {
    return (letter & positive) == positive && (letter & negative) == 0;
  }
  bool operator==(const Label&) const = default;
};

struct Transition {
  Label label;
  SetMask marks = 0;  // the acceptance sets that it is in
  std::uint32_t target = 0;
  bool operator==(const Transition&) const = default;
};

// How an automaton accepts, from the simplest on.  Weak: each strongly connected component has only
// accepting cycles or none.  Terminal: weak, and from an accepting one every word is accepted.
enum class Strength { terminal, weak, strong };

// Accepts a word if some run over it from an initial state meets each acceptance set for ever.
// With no acceptance set, any infinite run accepts.
struct Automaton {
  std::vector<std::string> propositions;  // their names, at most kMostPropositions
  unsigned sets = 0;                      // at most kMostSets
  std::vector<std::uint32_t> initial;
  std::vector<std::vector<Transition>> transitions;  // of each state

  std::uint32_t states() const { return static_cast<std::uint32_t>(transitions.size()); }
};

// The strongly connected components of an automaton.
struct Components {
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // Of each state, the number of its component, in an order in which transitions lead from larger
  // numbers to smaller ones.
  std::vector<std::uint32_t> of;
  std::vector<bool> accepting;  // of each component: it has an accepting cycle
  std::vector<bool> useful;     // of each component: an accepting one can be reached from it
};
Components components(const Automaton& automaton);

}  // namespace spillway::ltl
