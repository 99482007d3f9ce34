// Decides whether a condition can be true or false at all, as far as the ranges of types tell.
//
// `x = 7` cannot be true if x is 0..5, nor can `p > 5` for a parameter p of 0..2, nor `s = A & s =
// B`.
#pragma once

#include <vector>

#include "program/program.h"

namespace spillway::program {

// The part of a condition that cannot have the value `truth` together with what is before it;
// nullptr if the condition may have it.  Values that cannot be evaluated do not count.  REQUIRES:
// the condition changes nothing, and belongs to a rule, property or function with this frame.
const Expr* obstacle(const Expr& condition, bool truth, const Frame& frame,
                     const std::vector<Function>& functions,
                     const std::vector<Parameter>& parameters = {});

}  // namespace spillway::program
