#include <fmt/format.h>

#include "language/murphi/lowering.h"
#include "program/possible.h"

namespace spillway::murphi {

void RuleLowering::warn_about_property(const Expr& condition, const program::Header& header) {
  warn_if_constant(condition, "property");
  if (condition.op != Op::literal &&
      program::obstacle(condition, false, header.frame, program_.functions, header.parameters) !=
          nullptr)
    warn(condition.position, "the property is always true: no values of these types make it false");
}

// `true ==>` is a usual way to write that a rule is always enabled.
void RuleLowering::warn_about_guard(const Expression& written, const Expr& guard,
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
  sort_warnings();
}

}  // namespace spillway::murphi
