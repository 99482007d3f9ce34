// Translates formulas to automata.
#pragma once

#include <string>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "ltl/automaton/degeneralize.h"
#include "ltl/automaton/strength.h"
#include "ltl/formula/formula.h"

namespace spillway::ltl {

// Accepts exactly the words of which the formula holds.  `names` are those of the propositions.
// Throws an Error with the reason if the automaton would be too large.
Automaton translate(const Formula& formula, const std::vector<std::string>& names);

}  // namespace spillway::ltl
