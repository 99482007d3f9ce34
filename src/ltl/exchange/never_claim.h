// Automata as never claims, for Spin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Has one acceptance set, and accepts by states: `accept` of each.  Its transitions have no marks.
struct StateAcceptance {
  Automaton automaton;
  std::vector<bool> accept;
};

// Accepts the same words.
StateAcceptance by_states(const Automaton& automaton);

// Names of propositions that are not plain words are written p0, p1, ..., with #define before the
// claim.  `name` is a remark.
std::string never_claim(const Automaton& automaton, std::string_view name);

}  // namespace spillway::ltl
