// Automata with one acceptance set.
#pragma once

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Accepts the same words with exactly one set.
Automaton degeneralized(const Automaton& automaton);

}  // namespace spillway::ltl
