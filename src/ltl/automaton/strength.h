// Classifies automata by how simply they accept.
#pragma once

#include <vector>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

Strength strength(const Automaton& automaton);

// Of each component: it accepts, and every cycle in it does.
std::vector<bool> weak_components(const Automaton& automaton, const Components& components);

}  // namespace spillway::ltl
