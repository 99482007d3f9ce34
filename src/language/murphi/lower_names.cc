#include <fmt/format.h>

#include "language/limits.h"
#include "language/murphi/lowering.h"

namespace spillway::murphi {

Symbol& Lowering::declare(Means means, const Name& name, const Type* type) {
  if (const Symbol* other = scopes_.find_here(name.text))
    refuse(name.position, fmt::format("{} is already declared, at line {}", quoted(name.text),
                                      other->position.line));
  Symbol symbol;
  symbol.means = means;
  symbol.name = name.text;
  symbol.position = name.position;
  symbol.type = type;
  return scopes_.add(std::move(symbol));
}

Symbol& Lowering::look_up(const Name& name) {
  if (Symbol* symbol = scopes_.find(name.text)) {
    if (symbol->means == Means::wrong) throw Spoiled();
    return *symbol;
  }
  note_unknown(name);
  throw Spoiled();
}

std::string Lowering::described(const Symbol& symbol) {
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

void Lowering::mark_read(Symbol& symbol) {
  for (Symbol* at = &symbol; at != nullptr; at = at->root) at->read = true;
}

void Lowering::mark_written(Symbol& symbol) {
  for (Symbol* at = &symbol; at != nullptr; at = at->root) at->written = true;
}

program::SlotIndex Lowering::slot(const Name& name, const Type* type, program::Holds holds) {
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
bool Lowering::is_undefined_word(const Expression& expression) const {
  if (expression.form != Form::name || expression.name.text.size() != 9) return false;
  for (std::size_t i = 0; i < 9; ++i)
    if ((expression.name.text[i] | 0x20) != "undefined"[i]) return false;
  return scopes_.find(expression.name.text) == nullptr;
}

void Lowering::expand(std::uint64_t pieces, Position position) {
  expansions_ += pieces;
  if (expansions_ > kMostExpansions)
    source_.give_up(
        position,
        "the model is too large here: its aliases, scalarsets and comparisons of records take too "
        "much room when they are expanded");
}

}  // namespace spillway::murphi
