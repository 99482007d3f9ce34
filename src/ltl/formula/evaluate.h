// Evaluates a formula on a word that repeats itself, directly from the meaning of its operators.
// Nothing here is shared with the translation to automata, which is tested against it.
#pragma once

#include <cstddef>
#include <span>

#include "base/set_mask.h"
#include "ltl/formula/formula.h"

namespace spillway::ltl {

// Whether the formula holds of the word whose letters from `loop_start` on are repeated for ever.
// Takes time and memory in proportion to letters times operators.
// REQUIRES: loop_start < letters.size().
bool holds(const Formula& formula, std::span<const Letter> letters, std::size_t loop_start);

}  // namespace spillway::ltl
