// Builds expressions and statements of programs.
#pragma once

#include <vector>

#include "program/program.h"

namespace spillway {

program::ExprPtr new_expr(program::Op op, const program::Type* type, program::Position position);
program::ExprPtr literal(program::Value value, const program::Type* type,
                         program::Position position);
program::ExprPtr read_slot(program::SlotIndex slot, const program::Type* type,
                           program::Position position);
program::ExprPtr read_place(program::Place place);
program::ExprPtr is_undefined(program::Place place, const program::Type* truth);
// Both return a simplified expression.
program::ExprPtr apply(program::Op op, program::ExprPtr a, const program::Type* type,
                       program::Position position);
program::ExprPtr apply(program::Op op, program::ExprPtr a, program::ExprPtr b,
                       const program::Type* type, program::Position position);
// left > right, or left >= right; the left operand is evaluated first.
program::ExprPtr apply_greater(program::ExprPtr left, program::ExprPtr right, bool or_equal,
                               const program::Type* truth, program::Position position);
// Combines the operands into a tree of minimal depth.  REQUIRES: the operation is associative, and
// there is at least one operand.
program::ExprPtr apply_all(program::Op op, std::vector<program::ExprPtr> operands,
                           const program::Type* type, program::Position position);

program::ExprPtr copy(const program::Expr& expr);
program::Place copy(const program::Place& place);

// The number of nodes in a copy.
std::uint64_t weight(const program::Expr& expr);
std::uint64_t weight(const program::Place& place);

program::StatementPtr statement(program::Do what, program::Position position);

}  // namespace spillway
