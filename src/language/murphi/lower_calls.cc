#include <fmt/format.h>

#include "language/build.h"
#include "language/murphi/expression_lowering.h"

namespace spillway::murphi {

program::ExprPtr ExpressionLowering::lower_call(const Expression& expression, bool result_needed) {
  Symbol& symbol = look_up(expression.name);
  if (symbol.means != Means::function)
    refuse(expression.position, fmt::format("expected a function, but {}", described(symbol)));
  mark_read(symbol);
  if (functions_[symbol.index].wrong) throw Spoiled();
  const std::size_t count = functions_[symbol.index].parameters.size();
  if (expression.operands.size() != count)
    refuse(expression.position,
           fmt::format("{} takes {} argument{}, not {}", quoted(symbol.name), count,
                       count == 1 ? "" : "s", expression.operands.size()));
  if (result_needed && functions_[symbol.index].result == nullptr)
    refuse(expression.position,
           fmt::format("{} is a procedure and has no result", quoted(symbol.name)));
  if (!functions_[symbol.index].complete) functions_[symbol.index].calls_itself = true;
  if (functions_[symbol.index].writes_state) {
    if (context_.pure)
      refuse(
          expression.position,
          fmt::format("{} changes the state; guards and properties must not", quoted(symbol.name)));
    if (context_.function) functions_[*context_.function].writes_state = true;
  }
  if (functions_[symbol.index].discards) {
    if (context_.property)
      refuse(expression.position,
             fmt::format("{} can leave out the transition ('assume'), but properties and "
                         "propositions have none; call a function without 'assume' here",
                         quoted(symbol.name)));
    if (context_.function) functions_[*context_.function].discards = true;
  }
  ExprPtr result = new_expr(Op::call, functions_[symbol.index].result, expression.position);
  result->function = symbol.index;
  bool fine = true;
  for (std::size_t i = 0; i < count; ++i)
    fine &= attempt([&] {
      result->arguments.push_back(lower_argument(*expression.operands[i], symbol.index, i));
    });
  if (!fine) throw Spoiled();
  return result;
}

program::Argument ExpressionLowering::lower_argument(const Expression& expression,
                                                     std::uint32_t function, std::size_t number) {
  const ParameterInfo parameter = functions_[function].parameters[number];
  program::Argument argument;
  if (!parameter.reference) {
    if (is_undefined_word(expression)) {
      argument.value = read_place(nothing(parameter.type, expression.position));
      return argument;
    }
    argument.value = lower_any(expression);
    if (!types_.compatible(type_of(*argument.value), parameter.type))
      refuse(expression.position,
             fmt::format("the argument must be {}, but this is {}", types_.shown(parameter.type),
                         shown(*argument.value)));
    leave_unchecked(*argument.value);
    return argument;
  }
  Location found = parameter.variable ? changeable(expression, "the argument of a 'var' parameter")
                                      : place_of(expression, "this argument");
  mark_read(*found.symbol);
  if (!types_.same(found.place.type, parameter.type))
    refuse(
        expression.position,
        fmt::format("the argument of a 'var' parameter must have exactly its type: the parameter "
                    "is {}, but this is {}",
                    types_.shown(parameter.type), types_.shown(found.place.type)));
  if (parameter.variable) note_pass(found, function, number, expression.position);
  argument.place = std::move(found.place);
  return argument;
}

// A new place that is never assigned.
program::Place ExpressionLowering::nothing(const Type* type, Position position) {
  Place place;
  place.root = slot({"undefined", position}, type, program::Holds::value);
  place.type = type;
  place.position = position;
  return place;
}

// Notes whether the function changes what is passed by reference.
void ExpressionLowering::note_pass(const Location& location, std::uint32_t function,
                                   std::size_t number, Position position) {
  const FunctionInfo& callee = functions_[function];
  mark_written(*location.symbol);
  if (callee.complete) {
    if (callee.parameters[number].written) note_write(location, position);
    return;
  }
  const Symbol* root = location.symbol;
  while (root->root != nullptr) root = root->root;
  if (root->means == Means::variable)
    functions_[function].self_passes.push_back({number, std::nullopt});
  else if (root->parameter)
    functions_[function].self_passes.push_back({number, root->index});
}

}  // namespace spillway::murphi
