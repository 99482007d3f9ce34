#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/constants.h"
#include "language/murphi/statement_lowering.h"

namespace spillway::murphi {
namespace {

bool within(const Type* part, const Type* whole) {
  if (part == nullptr) return false;
  const auto& intervals = whole->domain.intervals();
  return std::all_of(
      part->domain.intervals().begin(), part->domain.intervals().end(), [&](const auto& mine) {
        return std::any_of(intervals.begin(), intervals.end(), [&](const auto& other) {
          return other.low <= mine.low && mine.high <= other.high;
        });
      });
}

// Whether computing the place always gives the same result and never fails.
bool is_fixed(const program::Place& place, const Type* root) {
  const Type* type = root;
  for (const program::Selector& step : place.steps) {
    if (step.index == nullptr) {
      type = type->fields[step.field].type;
      continue;
    }
    const bool of_bag = type->kind == program::Kind::bag;
    if (step.index->op != program::Op::slot) return false;
    if (!of_bag && !within(step.index->type, type->index)) return false;
    type = type->element;
  }
  return true;
}

}  // namespace

// Declares an alias whose meaning is copied where it is used.  Sets `must_bind` if that could
// differ from its meaning where it is declared.
Symbol& StatementLowering::declare_alias(const AliasNode& alias, bool& must_bind) {
  must_bind = false;
  const Expression& value = *alias.value;
  if (value.form == Form::name) {
    Symbol& other = look_up(value.name);
    if (other.means == Means::constant || other.means == Means::counter ||
        other.means == Means::bag_index) {
      mark_read(other);
      Symbol& symbol = declare(other.means, alias.name, other.type);
      symbol.value = other.value;
      symbol.index = other.index;
      return symbol;
    }
  }
  if (std::optional<Location> found = location(value)) {
    Symbol& symbol = declare(Means::place, alias.name, found->place.type);
    symbol.root = found->symbol;
    symbol.read_only = found->symbol->read_only;
    const Type* root = found->place.in_state ? program_.variables[found->place.root].type
                                             : (*context_.frame)[found->place.root].type;
    must_bind = !is_fixed(found->place, root);
    symbol.place = std::move(found->place);
    symbol.weight = weight(symbol.place);
    return symbol;
  }
  ExprPtr lowered = lower_any(value);
  const Type* type = type_of(*lowered);
  if (const std::optional<Value> folded = fold(*lowered)) {
    Symbol& symbol = declare(Means::constant, alias.name, type);
    symbol.value = *folded;
    return symbol;
  }
  must_bind = true;
  Symbol& symbol = declare(Means::value, alias.name, type);
  symbol.weight = weight(*lowered);
  symbol.expression = std::move(lowered);
  return symbol;
}

void StatementLowering::bind_symbol(Symbol& symbol, Body& out) {
  const bool place = symbol.means == Means::place;
  auto bind = program::Statement();
  bind.what = place ? program::Do::bind_place : program::Do::bind_value;
  bind.position = symbol.position;
  const program::Holds holds = place                    ? program::Holds::reference
                               : is_scalar(symbol.type) ? program::Holds::constant
                                                        : program::Holds::value;
  symbol.index = bind.slot = slot({symbol.name, symbol.position}, symbol.type, holds);
  if (place)
    bind.place = std::move(symbol.place);
  else
    bind.value = std::move(symbol.expression);
  symbol.read_only |= holds == program::Holds::value;
  symbol.means = holds == program::Holds::constant ? Means::counter : Means::local;
  out.push_back(std::make_unique<Statement>(std::move(bind)));
}

void StatementLowering::spoil(const AliasNode& alias) {
  examine_names(*alias.value);
  declare_wrong(alias.name);
}

void StatementLowering::lower_alias(const StatementNode& node, Body& out) {
  scopes_.push();
  for (const AliasNode& alias : node.aliases) {
    const bool fine = attempt([&] {
      bool must_bind = false;
      Symbol& symbol = declare_alias(alias, must_bind);
      if (must_bind) bind_symbol(symbol, out);
    });
    if (!fine) spoil(alias);
  }
  lower_statements(node.branches[0].body, out);
  scopes_.pop();
}

}  // namespace spillway::murphi
