// Translates formulas to automata whose runs repeat themselves when words do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "ltl/formula/formula.h"

namespace spillway::ltl {

// Accepts exactly the words of which the formula holds, and is tight: over a word that goes from
// its last letter back to an earlier one, for ever, there is an accepting run that does so with as
// many states.  So the shortest lassos of a product are the shortest runs of the system that the
// automaton accepts; with the automata of translate() a run may have to go round more than once
// before the automaton comes back to a state.
//
// A state is what holds of the rest of the word, of each subformula that is about later letters
// (Clarke, Grumberg and Hamaguchi 1997; Schuppan and Biere 2005 have shown that it is tight).
// States are merged only where each run stays a run.
//
// Nothing if it would be too large: its states are exponential in the temporal operators.
std::optional<Automaton> translate_tightly(const Formula& formula,
                                           const std::vector<std::string>& names);

}  // namespace spillway::ltl
