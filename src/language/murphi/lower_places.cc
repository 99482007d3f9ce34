#include <fmt/format.h>

#include "language/build.h"
#include "language/murphi/expression_lowering.h"

namespace spillway::murphi {

// std::nullopt if the expression is a value, not a place.
std::optional<ExpressionLowering::Location> ExpressionLowering::location(
    const Expression& expression) {
  if (expression.form == Form::name) {
    Symbol& symbol = look_up(expression.name);
    Place place;
    switch (symbol.means) {
      case Means::variable:
        if (context_.constant)
          refuse(expression.position,
                 fmt::format("expected a constant, but {}", described(symbol)));
        place.in_state = true;
        break;
      case Means::local: break;
      case Means::place:
        expand(symbol.weight, expression.position);
        place = copy(symbol.place);
        place.position = expression.position;
        return Location{std::move(place), &symbol};
      default: return std::nullopt;
    }
    place.root = symbol.index;
    place.type = symbol.type;
    place.position = expression.position;
    return Location{std::move(place), &symbol};
  }
  if (expression.form != Form::field && expression.form != Form::element) return std::nullopt;
  std::optional<Location> base = location(*expression.operands[0]);
  if (!base) {
    const ExprPtr value = lower_any(*expression.operands[0]);
    refuse(expression.position,
           fmt::format("expected {}, but this is {}",
                       expression.form == Form::field ? "a record" : "an array", shown(*value)));
  }
  if (expression.form == Form::field)
    step_into_field(*base, expression);
  else
    step_into_element(*base, expression);
  return base;
}

void ExpressionLowering::step_into_field(Location& base, const Expression& expression) {
  const Type* type = base.place.type;
  if (sort(type) != Sort::record)
    refuse(expression.position,
           fmt::format("only records have fields, but this is {}", types_.shown(type)));
  const std::size_t number = field(type, expression.name);
  base.place.steps.push_back({number, nullptr});
  base.place.type = type->fields[number].type;
}

// Formulas elsewhere name one process by its number.
std::string ExpressionLowering::about_quantifiers(const Type* index) const {
  if (!context_.proposition || !types_.has_scalarset(index)) return "";
  return fmt::format(
      "; a scalarset has no particular values, so use 'exists i: {} do ... end' or 'forall'",
      index->name);
}

void ExpressionLowering::step_into_element(Location& base, const Expression& expression) {
  const Type* type = base.place.type;
  const Expression& written = *expression.operands[1];
  ExprPtr index;
  if (sort(type) == Sort::bag) {
    index = bag_index(written);
  } else if (sort(type) == Sort::array) {
    index = lower(written);
    if (!types_.compatible(type_of(*index), type->index))
      refuse(written.position,
             fmt::format("the index must be {}, but this is {}{}", types_.shown(type->index),
                         shown(*index), about_quantifiers(type->index)));
  } else {
    refuse(expression.position,
           fmt::format("only arrays have elements, but this is {}", types_.shown(type)));
  }
  base.place.steps.push_back({0, std::move(index)});
  base.place.type = type->element;
}

program::ExprPtr ExpressionLowering::bag_index(const Expression& expression) {
  Symbol* symbol = expression.form == Form::name ? &look_up(expression.name) : nullptr;
  if (symbol == nullptr || symbol->means != Means::bag_index)
    refuse(expression.position,
           "the index of a multiset must be the element of an enclosing choose, multisetcount or "
           "multisetremovepred");
  mark_read(*symbol);
  return read_slot(symbol->index, nullptr, expression.position);
}

ExpressionLowering::Location ExpressionLowering::place_of(const Expression& expression,
                                                          const char* what) {
  std::optional<Location> found = location(expression);
  if (!found)
    refuse(expression.position, fmt::format("{} must be a variable or a part of one", what));
  return std::move(*found);
}

ExpressionLowering::Location ExpressionLowering::changeable(const Expression& expression,
                                                            const char* what) {
  const Expression* root = &expression;
  while (root->form == Form::field || root->form == Form::element) root = root->operands[0].get();
  if (root->form == Form::name) {
    const Symbol& symbol = look_up(root->name);
    const bool place = symbol.means == Means::variable || symbol.means == Means::local ||
                       symbol.means == Means::place;
    if (!place || symbol.read_only)
      refuse(root->position, fmt::format("{} and cannot be changed", described(symbol)));
  }
  return place_of(expression, what);
}

ExpressionLowering::Location ExpressionLowering::writable(const Expression& expression,
                                                          const char* what) {
  Location found = changeable(expression, what);
  mark_written(*found.symbol);
  note_write(found, expression.position);
  return found;
}

ExpressionLowering::Location ExpressionLowering::bag_of(const Expression& expression,
                                                        bool written) {
  Location found =
      written ? writable(expression, "the multiset") : place_of(expression, "the multiset");
  mark_read(*found.symbol);
  if (sort(found.place.type) != Sort::bag)
    refuse(expression.position,
           fmt::format("expected a multiset, but this is {}", types_.shown(found.place.type)));
  return found;
}

// Notes what functions change, because guards and properties must not change anything.
void ExpressionLowering::note_write(const Location& location, Position position) {
  const Symbol* root = location.symbol;
  while (root->root != nullptr) root = root->root;
  const bool state = root->means == Means::variable;
  if (context_.pure && state) refuse(position, "a guard or property must not change the state");
  if (!context_.function) return;
  FunctionInfo& info = functions_[*context_.function];
  if (state)
    info.writes_state = true;
  else if (root->parameter)
    info.parameters[root->index].written = true;
}

}  // namespace spillway::murphi
