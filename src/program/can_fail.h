// Decides whether the evaluation of an expression can fail.
#pragma once

#include "program/program.h"

namespace spillway::program {

// False only if the expression can certainly be evaluated in every state: it reads nothing that may
// be undefined where that does not count, has no index that may be out of range, and contains no arithmetic and no calls.
// REQUIRES: it belongs to a rule, property or function with this frame.
bool can_fail(const Expr& expr, const Frame& frame, const Program& program);
// Whether finding the place can fail; reading it is another matter.
bool can_fail(const Place& place, const Frame& frame, const Program& program);

}  // namespace spillway::program
