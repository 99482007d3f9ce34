// Automata in the Hanoi Omega-Automata format, versions 1 and 1.1.
#pragma once

#include <string>
#include <string_view>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// Reads one automaton whose acceptance can be said with sets that are met for ever: all, none,
// Buchi, generalized Buchi, and combinations of Inf.  Marks of states become marks of the
// transitions that leave them, and a label that is no conjunction becomes several transitions.
// Throws a DiagnosedError with the reason for what is not read: conditions with Fin, alternation,
// several automata in a file, more than 64 propositions or sets.
Automaton read_hoa(std::string_view origin, std::string_view text);

// `name` is a remark; empty: none.
std::string hoa(const Automaton& automaton, std::string_view name);

}  // namespace spillway::ltl
