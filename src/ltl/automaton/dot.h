// Automata as pictures, for Graphviz.
#pragma once

#include <string>
#include <string_view>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

std::string dot(const Automaton& automaton, std::string_view name);

}  // namespace spillway::ltl
