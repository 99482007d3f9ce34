// Fewer acceptance sets.
#pragma once

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// The same states and transitions with new marks, so that the same words are accepted.  In each
// component a set that every cycle through the others meets is not needed, and components share the
// sets that are left.  Marks outside of accepting components are removed; a component in which
// every cycle accepts has all marks everywhere.
Automaton with_fewer_sets(const Automaton& automaton);

}  // namespace spillway::ltl
