// Smaller automata for the same words.
#pragma once

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Never larger.  Words accepted stay the same.
Automaton reduced(Automaton automaton);

// Without states that cannot be reached or from which no word is accepted, and without marks
// outside of accepting components.  An automaton that accepts nothing has one state and no
// transition.
Automaton pruned(const Automaton& automaton);

// Transitions that have the same target and marks get few labels.
void merge_labels(Automaton& automaton);

}  // namespace spillway::ltl
