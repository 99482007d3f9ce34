// Labels for readers.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "ltl/automaton/automaton.h"

namespace spillway::ltl {

// "a && !b", or `otherwise` for the label that admits everything.
std::string text(const Label& label, std::span<const std::string> names,
                 std::string_view otherwise);

}  // namespace spillway::ltl
