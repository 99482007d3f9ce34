// Whether the evaluation of an expression can fail at all.
#pragma once

#include "program/program.h"

namespace spillway::program {

// False only if it is certain that the expression can be evaluated in every state: it reads nothing
// that could be undefined, has no index that could be out of range, no arithmetic and no calls.
// REQUIRES: it belongs to a rule, property or function with this frame.
bool can_fail(const Expr& expr, const Frame& frame, const Program& program);
// finding it, not reading it
bool can_fail(const Place& place, const Frame& frame, const Program& program);

}  // namespace spillway::program
