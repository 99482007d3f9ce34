#include <fmt/format.h>

#include "language/build.h"
#include "language/murphi/expression_lowering.h"

namespace spillway::murphi {

program::ExprPtr ExpressionLowering::lower_comparison(const Expression& expression) {
  ExprPtr left = lower_any(*expression.operands[0]);
  ExprPtr right = lower_any(*expression.operands[1]);
  const Type *a = type_of(*left), *b = type_of(*right);
  if (!types_.compatible(a, b))
    refuse(expression.position,
           fmt::format("cannot compare {} with {}", types_.shown(a), types_.shown(b)));
  const bool ordering = expression.form != Form::equal && expression.form != Form::unequal;
  if (ordering && sort(a) != Sort::number)
    refuse(expression.position,
           fmt::format("only numbers can be ordered, but this is {}", types_.shown(a)));
  if (!is_scalar(a)) return compare_whole(expression, std::move(left), std::move(right));
  for (Expr* side : {left.get(), right.get()}) leave_unchecked(*side);
  const Position position = expression.position;
  const Type* truth = types_.truth();
  switch (expression.form) {
    case Form::equal: return apply(Op::equal, std::move(left), std::move(right), truth, position);
    case Form::unequal:
      return apply(Op::unequal, std::move(left), std::move(right), truth, position);
    case Form::less: return apply(Op::less, std::move(left), std::move(right), truth, position);
    case Form::less_equal:
      return apply(Op::less_equal, std::move(left), std::move(right), truth, position);
    default:
      return apply_greater(std::move(left), std::move(right),
                           expression.form == Form::greater_equal, truth, position);
  }
}

// Records and arrays are compared part by part.
program::ExprPtr ExpressionLowering::compare_whole(const Expression& expression, ExprPtr left,
                                                   ExprPtr right) {
  const Position position = expression.position;
  ExprPtr equal = left->op == Op::read && right->op == Op::read
                      ? compare_parts(std::move(*left->place), std::move(*right->place), position)
                      : call_comparison(std::move(left), std::move(right), position);
  if (expression.form == Form::equal) return equal;
  return apply(Op::logical_not, std::move(equal), types_.truth(), position);
}

// What a function returns has no place until it is a parameter.
program::ExprPtr ExpressionLowering::call_comparison(ExprPtr left, ExprPtr right,
                                                     Position position) {
  ExprPtr result = new_expr(Op::call, types_.truth(), position);
  result->function = comparison(left->type, right->type, position);
  result->arguments.resize(2);
  result->arguments[0].value = std::move(left);
  result->arguments[1].value = std::move(right);
  return result;
}

// The function that compares its two parameters, one for each pair of types.
program::FunctionIndex ExpressionLowering::comparison(const Type* left, const Type* right,
                                                      Position position) {
  const auto known = comparisons_.find({left, right});
  if (known != comparisons_.end()) return known->second;
  program::Function function;
  const Context before = std::exchange(context_, {.frame = &function.frame, .pure = true});
  Place sides[2];
  for (const Type* type : {left, right}) {
    Place& side = sides[function.parameters++];
    side.root = slot({"", position}, type, program::Holds::value);
    side.type = type;
    side.position = position;
  }
  function.name = "=";
  function.position = position;
  function.result = types_.truth();
  function.body.push_back(statement(program::Do::leave, position));
  function.body[0]->value = compare_parts(std::move(sides[0]), std::move(sides[1]), position);
  context_ = before;
  functions_.emplace_back().complete = true;
  return comparisons_[{left, right}] = add_function(std::move(function));
}

program::ExprPtr ExpressionLowering::compare_parts(Place left, Place right, Position position) {
  const Type* truth = types_.truth();
  const Type* type = left.type;
  expand(weight(left) + weight(right) + 4, position);
  switch (sort(type)) {
    case Sort::bag: refuse(position, "multisets cannot be compared");
    case Sort::record: {
      std::vector<ExprPtr> parts;
      for (std::size_t i = 0; i < type->fields.size(); ++i) {
        Place a = copy(left), b = copy(right);
        a.steps.push_back({i, nullptr});
        b.steps.push_back({i, nullptr});
        a.type = type->fields[i].type;
        b.type = right.type->fields[i].type;
        parts.push_back(compare_parts(std::move(a), std::move(b), position));
      }
      if (parts.empty()) return literal(1, truth, position);
      return apply_all(Op::logical_and, std::move(parts), truth, position);
    }
    case Sort::array: {
      ExprPtr result = new_expr(Op::for_all, truth, position);
      result->range.type = type->index;
      result->range.unordered = types_.has_scalarset(type->index);
      result->slot = slot({"", position}, type->index, program::Holds::constant);
      for (Place* place : {&left, &right}) {
        place->steps.push_back({0, read_slot(result->slot, type->index, position)});
        place->type = place->type->element;
      }
      result->operands.push_back(compare_parts(std::move(left), std::move(right), position));
      return result;
    }
    default: break;
  }
  return compare_simple_parts(left, right, position);
}

// Inside records and arrays, undefined equals undefined.
program::ExprPtr ExpressionLowering::compare_simple_parts(const Place& left, const Place& right,
                                                          Position position) {
  const Type* truth = types_.truth();
  ExprPtr defined = apply(Op::logical_not, is_undefined(copy(right), truth), truth, position);
  ExprPtr equal =
      apply(Op::equal, read_place(copy(left)), read_place(copy(right)), truth, position);
  ExprPtr result = new_expr(Op::conditional, truth, position);
  result->operands.push_back(is_undefined(copy(left), truth));
  result->operands.push_back(is_undefined(copy(right), truth));
  result->operands.push_back(
      apply(Op::logical_and, std::move(defined), std::move(equal), truth, position));
  return result;
}

}  // namespace spillway::murphi
