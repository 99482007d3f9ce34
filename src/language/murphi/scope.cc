#include "language/murphi/scope.h"

#include <fmt/format.h>

#include "language/limits.h"
#include "program/possible.h"
#include "program/walk.h"

namespace spillway::murphi {

Symbol& Scope::declare(Means means, const Name& name, const Type* type) {
  if (const Symbol* other = scopes_.find_here(name.text)) refuse_again(name, other->position.line);
  Symbol symbol;
  symbol.means = means;
  symbol.name = name.text;
  symbol.position = name.position;
  symbol.type = type;
  return scopes_.add(std::move(symbol));
}

void Scope::declare_wrong(const Name& name) {
  if (scopes_.find_here(name.text) == nullptr) declare(Means::wrong, name, nullptr);
}

void Scope::note_unknown(const Name& name) {
  if (!unknown_.insert(name.text).second) return;
  std::vector<std::string_view> known = scopes_.names();
  for (const std::string_view word : {"true", "false", "boolean", "undefined"})
    known.push_back(word);
  source_.note({name.position, fmt::format("{} is not declared{}", quoted(name.text),
                                           did_you_mean(name.text, std::move(known)))});
}

Symbol& Scope::look_up(const Name& name) {
  if (Symbol* symbol = scopes_.find(name.text)) {
    if (symbol->means == Means::wrong) throw Spoiled();
    return *symbol;
  }
  note_unknown(name);
  throw Spoiled();
}

std::string Scope::described(const Symbol& symbol) {
  const char* what = "a name";
  switch (symbol.means) {
    case Means::constant: what = "a constant"; break;
    case Means::type: what = "a type"; break;
    case Means::variable: what = "a variable"; break;
    case Means::function: what = "a function"; break;
    case Means::counter: what = "a parameter or counter"; break;
    case Means::local:
      what = symbol.read_only ? "a parameter that is not 'var'" : "a variable";
      break;
    case Means::place: what = "an alias"; break;
    case Means::value: what = "an alias of a value"; break;
    case Means::bag_index: what = "the number of an element of a multiset"; break;
    case Means::wrong: break;
  }
  return fmt::format("{} is {}", quoted(symbol.name), what);
}

void Scope::mark_read(Symbol& symbol) {
  for (Symbol* at = &symbol; at != nullptr; at = at->root) at->read = true;
}

void Scope::mark_written(Symbol& symbol) {
  for (Symbol* at = &symbol; at != nullptr; at = at->root) at->written = true;
}

program::SlotIndex Scope::slot(const Name& name, const Type* type, program::Holds holds) {
  const std::uint64_t cells =
      holds == program::Holds::value && type != nullptr ? types_.extent(type).cells : 1;
  context_.cells += cells;
  if (context_.cells > kMostCells)
    source_.give_up(name.position,
                    fmt::format("the local variables have more than {} scalars", kMostCells));
  context_.frame->push_back({name.text, type, holds});
  return static_cast<SlotIndex>(context_.frame->size() - 1);
}

// CMurphi's word for no value, unless the model declares the name.
bool Scope::is_undefined_word(const Expression& expression) const {
  if (expression.form != Form::name || expression.name.text.size() != 9) return false;
  for (std::size_t i = 0; i < 9; ++i)
    if ((expression.name.text[i] | 0x20) != "undefined"[i]) return false;
  return scopes_.find(expression.name.text) == nullptr;
}

void Scope::warn_if_constant(const Expr& condition, const char* what) {
  if (condition.op == Op::literal)
    return warn(condition.position,
                fmt::format("the {} is always {}", what, condition.value != 0 ? "true" : "false"));
  // What a call in a statement changes is not followed.
  if (!context_.pure && program::has_call(condition)) return;
  if (program::obstacle(condition, true, *context_.frame, program_.functions) != nullptr)
    warn(condition.position,
         fmt::format("the {} is always false: no values of these types make it true", what));
}

}  // namespace spillway::murphi
