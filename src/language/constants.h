// Evaluates expressions that do not depend on the state.
#pragma once

#include <optional>

#include "program/program.h"

namespace spillway {

// The value of an expression if it is the same in every state.  std::nullopt if it is not, or if it
// overflows or divides by zero.
std::optional<program::Value> fold(const program::Expr& expr);

// The same expression, or a simpler one with the same meaning, including failures.  Only the root
// is examined.  REQUIRES: the operands are already simplified.
program::ExprPtr simplified(program::ExprPtr expr);

}  // namespace spillway
