// Values of expressions that do not depend on the state.
#pragma once

#include <optional>

#include "program/program.h"

namespace spillway {

// The value of an expression, if it has one whatever the state is.  Nothing if it overflows or
// divides by zero.
std::optional<program::Value> fold(const program::Expr& expr);

// The same expression, or a simpler one with the same meaning, failures included.  Only the top is
// looked at: the operands are simplified already.
program::ExprPtr simplified(program::ExprPtr expr);

}  // namespace spillway
