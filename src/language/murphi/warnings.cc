#include <fmt/format.h>

#include <algorithm>

#include "language/murphi/lowering.h"
#include "program/possible.h"
#include "program/walk.h"

namespace spillway::murphi {

void Lowering::warn(Position position, std::string text) {
  out_.warnings.push_back({position, std::move(text)});
}

void Lowering::warn_if_constant(const Expr& condition, const char* what) {
  if (condition.op == Op::literal)
    return warn(condition.position,
                fmt::format("the {} is always {}", what, condition.value != 0 ? "true" : "false"));
  // What a call in a statement changes is not followed.
  if (!context_.pure && program::has_call(condition)) return;
  if (program::obstacle(condition, true, *context_.frame, program_.functions) != nullptr)
    warn(condition.position,
         fmt::format("the {} is always false: no values of these types make it true", what));
}

void Lowering::warn_about_property(const Expr& condition, const program::Header& header) {
  warn_if_constant(condition, "property");
  if (condition.op != Op::literal &&
      program::obstacle(condition, false, header.frame, program_.functions, header.parameters) !=
          nullptr)
    warn(condition.position, "the property is always true: no values of these types make it false");
}

// Includes conditions in which another operand could fail first.
bool Lowering::never_holds(const Expr& condition) {
  if (condition.op == Op::literal) return condition.value == 0;
  return condition.op == Op::logical_and &&
         (never_holds(*condition.operands[0]) || never_holds(*condition.operands[1]));
}

// `true ==>` is a usual way to write that a rule is always enabled.
void Lowering::warn_about_guard(const Expression& written, const Expr& guard,
                                const program::Header& header) {
  if (never_holds(guard))
    return warn(header.position,
                fmt::format("{} can never fire: its guard is always false", quoted(header.name)));
  if (guard.op == Op::literal) {
    if (written.form != Form::truth)
      warn(header.position, fmt::format("the guard of {} is always true", quoted(header.name)));
    return;
  }
  if (const Expr* part =
          program::obstacle(guard, true, header.frame, program_.functions, header.parameters))
    warn(header.position,
         fmt::format("{} can never fire: no values of these types make its guard true (see line "
                     "{}, column {})",
                     quoted(header.name), part->position.line, part->position.column));
}

void Lowering::warn_about_names() {
  if (program_.starts.empty()) {
    warn({1, 1}, "the model has no startstate, so it has no states");
    out_.warnings.back().refused = true;
  }
  for (const Symbol& symbol : scopes_.globals()) {
    const std::string name = quoted(symbol.name);
    switch (symbol.means) {
      case Means::constant:
        // An enumeration value may be there for completeness only.
        if (!symbol.read && sort(symbol.type) != Sort::symbol)
          warn(symbol.position, fmt::format("the constant {} is never used", name));
        break;
      case Means::type:
        if (!symbol.read) warn(symbol.position, fmt::format("the type {} is never used", name));
        break;
      case Means::function:
        if (!symbol.read)
          warn(symbol.position, fmt::format("the function {} is never called", name));
        break;
      case Means::variable:
        if (!symbol.read && !symbol.written)
          warn(symbol.position, fmt::format("the variable {} is never used", name));
        else if (!symbol.read)
          warn(symbol.position, fmt::format("the variable {} is written but never read", name));
        else if (!symbol.written)
          warn(symbol.position, fmt::format("the variable {} is read but never written", name));
        break;
      default: break;
    }
  }
  std::stable_sort(
      out_.warnings.begin(), out_.warnings.end(), [](const Warning& a, const Warning& b) {
        return a.position.line != b.position.line ? a.position.line < b.position.line
                                                  : a.position.column < b.position.column;
      });
}

}  // namespace spillway::murphi
