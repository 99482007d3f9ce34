#include "language/lowering_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "language/limits.h"

namespace spillway {

void LoweringScope::refuse_again(const Name& name, std::uint32_t line_of_first) {
  refuse(name.position,
         fmt::format("{} is already declared, at line {}", quoted(name.text), line_of_first));
}

void LoweringScope::sort_warnings() {
  std::stable_sort(
      out_.warnings.begin(), out_.warnings.end(), [](const Warning& a, const Warning& b) {
        return a.position.line != b.position.line ? a.position.line < b.position.line
                                                  : a.position.column < b.position.column;
      });
}

void LoweringScope::expand(std::uint64_t pieces, Position position) {
  expansions_ += pieces;
  if (expansions_ > kMostExpansions)
    source_.give_up(position, fmt::format("the model is too large here: {}", too_many_));
}

std::uint32_t LoweringScope::add_variable(std::string name, const Type* type, std::uint64_t bits,
                                          std::uint64_t cells, Position position) {
  state_bits_ += bits;
  state_cells_ += cells;
  if (state_bits_ > kMostStateBits || state_cells_ > kMostCells)
    source_.give_up(
        position,
        fmt::format("with this variable, a state has {} bits and {} scalars; the limit is {} bits "
                    "and {} scalars",
                    state_bits_, state_cells_, kMostStateBits, kMostCells));
  program_.variables.push_back({std::move(name), type, position});
  return static_cast<std::uint32_t>(program_.variables.size() - 1);
}

program::FunctionIndex LoweringScope::add_function(program::Function function) {
  program_.functions.push_back(std::move(function));
  return static_cast<program::FunctionIndex>(program_.functions.size() - 1);
}

bool LoweringScope::never_holds(const Expr& condition) {
  if (condition.op == Op::literal) return condition.value == 0;
  return condition.op == Op::logical_and &&
         (never_holds(*condition.operands[0]) || never_holds(*condition.operands[1]));
}

}  // namespace spillway
