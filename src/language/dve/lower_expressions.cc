#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/lowering.h"
#include "program/bounds.h"

namespace spillway::dve {
namespace {

struct Operation {
  program::Op op;
  bool truth = false;    // the result is a truth value
  bool swapped = false;  // the operands change places
};

Operation operation(Form form) {
  using program::Op;
  switch (form) {
    case Form::negate: return {Op::negate};
    case Form::bit_not: return {Op::bit_not};
    case Form::multiply: return {Op::multiply};
    case Form::divide: return {Op::divide};
    case Form::remainder: return {Op::remainder};
    case Form::add: return {Op::add};
    case Form::subtract: return {Op::subtract};
    case Form::shift_left: return {Op::shift_left};
    case Form::shift_right: return {Op::shift_right};
    case Form::less: return {Op::less, true};
    case Form::less_equal: return {Op::less_equal, true};
    case Form::greater: return {Op::less, true, true};
    case Form::greater_equal: return {Op::less_equal, true, true};
    case Form::unequal: return {Op::unequal, true};
    default: return {Op::equal, true};
  }
}

}  // namespace

program::ExprPtr Lowering::number(Value value, Position position) const {
  return literal(value, nullptr, position);
}

// Uses a number as a condition.
program::ExprPtr Lowering::truth(ExprPtr expr) const {
  if (expr->type == truth_) return expr;
  const Position position = expr->position;
  return apply(Op::unequal, std::move(expr), number(0, position), truth_, position);
}

// In the first interpreters, a negative number on the right of 'and', 'or' and 'imply' is false.
program::ExprPtr Lowering::right_truth(ExprPtr expr) const {
  if (options_.errors != DveErrors::legacy ||
      program::bounds(*expr, {}, program_.functions).low >= 0)
    return truth(std::move(expr));
  const Position position = expr->position;
  return apply(Op::less, number(0, position), std::move(expr), truth_, position);
}

program::ExprPtr Lowering::lower(const Expression& expression) {
  const Position position = expression.position;
  const auto operand = [&](std::size_t i) { return lower(*expression.operands[i]); };
  switch (expression.form) {
    case Form::number: return number(expression.value, position);
    case Form::variable: return lower_variable(expression);
    case Form::state: return lower_state(expression);
    case Form::bit_or: return lower_chain(expression, Op::bit_or, false);
    case Form::bit_xor: return lower_chain(expression, Op::bit_xor, false);
    case Form::bit_and: return lower_chain(expression, Op::bit_and, false);
    case Form::logical_or: return lower_chain(expression, Op::logical_or, true);
    case Form::logical_and: return lower_chain(expression, Op::logical_and, true);
    case Form::logical_not: return apply(Op::logical_not, truth(operand(0)), truth_, position);
    case Form::imply: {
      ExprPtr left = truth(operand(0));
      return apply(Op::implies, std::move(left), right_truth(operand(1)), truth_, position);
    }
    default: break;
  }
  const Operation what = operation(expression.form);
  const Type* type = what.truth ? truth_ : nullptr;
  ExprPtr left = operand(0);
  if (expression.operands.size() == 1) return apply(what.op, std::move(left), type, position);
  ExprPtr right = operand(1);
  if (what.swapped) std::swap(left, right);
  return apply(what.op, std::move(left), std::move(right), type, position);
}

program::ExprPtr Lowering::lower_chain(const Expression& expression, Op op, bool logical) {
  std::vector<ExprPtr> operands;
  for (const ExpressionPtr& one : expression.operands) {
    ExprPtr operand = lower(*one);
    if (logical)
      operand = operands.empty() ? truth(std::move(operand)) : right_truth(std::move(operand));
    operands.push_back(std::move(operand));
  }
  return apply_all(op, std::move(operands), logical ? truth_ : nullptr, expression.position);
}

// In a proposition, P.x is also a variable.
program::ExprPtr Lowering::lower_state(const Expression& expression) {
  const Process& other = process(*expression.process);
  const std::string& name = expression.name.text;
  if (!expression.operands.empty() ||
      (in_proposition_ && !other.states.contains(name) && other.symbols.contains(name)))
    return lower_variable(expression);
  return is_at(other, state(other, expression.name), expression.position);
}

program::ExprPtr Lowering::lower_variable(const Expression& expression) {
  Symbol& found = symbol(expression);
  found.read = true;
  ExprPtr index = index_of(expression, found);
  if (!found.constant) {
    Place where = place(found.index, expression.position);
    if (index != nullptr) where = element(std::move(where), std::move(index));
    return read_place(std::move(where));
  }
  const auto value = [&](std::size_t i) {
    return number(i < found.values.size() ? found.values[i] : 0, expression.position);
  };
  if (index == nullptr) return value(0);
  if (index->op == Op::literal && index->value >= 0 && index->value < *found.size)
    return value(static_cast<std::size_t>(index->value));
  if (!found.look_up) found.look_up = look_up_function(found);
  auto result = std::make_unique<Expr>();
  result->op = Op::call;
  result->type = found.element;
  result->position = expression.position;
  result->function = *found.look_up;
  result->arguments.push_back({std::move(index), std::nullopt});
  return result;
}

bool Lowering::fits(const Expr& value, const Type& type) const {
  return program::inside(program::bounds(value, {}, program_.functions), type.domain);
}

// Truncates the value to the bits of the type, with sign extension.
program::ExprPtr Lowering::cut(ExprPtr value, const Type& type) const {
  if (fits(*value, type)) return value;
  const Position position = value->position;
  const Value low = type.domain.lowest();
  const auto ones = static_cast<Value>(type.domain.size()) - 1;
  if (low != 0)
    value = apply(Op::subtract, std::move(value), number(low, position), nullptr, position);
  value = apply(Op::bit_and, std::move(value), number(ones, position), nullptr, position);
  if (low != 0) value = apply(Op::add, std::move(value), number(low, position), nullptr, position);
  return value;
}

program::ExprPtr Lowering::fitted(ExprPtr value, const Type& type) const {
  return options_.errors == DveErrors::wrap ? cut(std::move(value), type) : std::move(value);
}

std::string Lowering::does_not_fit(Value value, const Name& name, const Type& type) {
  return fmt::format("{} does not fit {}: the range of {} is {} to {}", value, quoted(name.text),
                     type.name, type.domain.lowest(), type.domain.highest());
}

}  // namespace spillway::dve
