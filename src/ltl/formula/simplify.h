// Shorter formulas that mean the same.
#pragma once

#include "ltl/formula/formula.h"

namespace spillway::ltl {

// In negation normal form.  Throws an Error if the formula is too large.
Formula simplified(const Formula& formula);

}  // namespace spillway::ltl
