// Pieces of programs.
#pragma once

#include <vector>

#include "program/program.h"

namespace spillway {

program::ExprPtr literal(program::Value value, const program::Type* type,
                         program::Position position);
program::ExprPtr read_slot(program::SlotIndex slot, const program::Type* type,
                           program::Position position);
program::ExprPtr read_place(program::Place place);
program::ExprPtr is_undefined(program::Place place, const program::Type* truth);
// Simplified.
program::ExprPtr apply(program::Op op, program::ExprPtr a, const program::Type* type,
                       program::Position position);
program::ExprPtr apply(program::Op op, program::ExprPtr a, program::ExprPtr b,
                       const program::Type* type, program::Position position);
// The operands in a tree that is as flat as possible.  REQUIRES: the operation is associative,
// operands not empty.
program::ExprPtr apply_all(program::Op op, std::vector<program::ExprPtr> operands,
                           const program::Type* type, program::Position position);

program::ExprPtr copy(const program::Expr& expr);
program::Place copy(const program::Place& place);

// Pieces that a copy of it has.
std::uint64_t weight(const program::Expr& expr);
std::uint64_t weight(const program::Place& place);

program::StatementPtr statement(program::Do what, program::Position position);

}  // namespace spillway
