#include <fmt/format.h>

#include "language/build.h"
#include "language/dve/expression_lowering.h"
#include "program/bounds.h"

namespace spillway::dve {

using program::Do;

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

program::ExprPtr ExpressionLowering::number(Value value, Position position) const {
  return literal(value, nullptr, position);
}

program::ExprPtr ExpressionLowering::call(program::FunctionIndex function, ExprPtr argument,
                                          Position position) const {
  ExprPtr result = new_expr(Op::call, program_.functions[function].result, position);
  result->function = function;
  if (argument != nullptr) result->arguments.push_back({std::move(argument), std::nullopt});
  return result;
}

// Uses a number as a condition.
program::ExprPtr ExpressionLowering::truth(ExprPtr expr) const {
  if (expr->type == truth_) return expr;
  const Position position = expr->position;
  return apply(Op::unequal, std::move(expr), number(0, position), truth_, position);
}

// In the first interpreters, a negative number on the right of 'and', 'or' and 'imply' is false.
program::ExprPtr ExpressionLowering::right_truth(ExprPtr expr) const {
  if (options_.errors != DveErrors::legacy ||
      program::bounds(*expr, {}, program_.functions).low >= 0)
    return truth(std::move(expr));
  const Position position = expr->position;
  return apply(Op::less, number(0, position), std::move(expr), truth_, position);
}

program::ExprPtr ExpressionLowering::lower(const Expression& expression) {
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

program::ExprPtr ExpressionLowering::lower_chain(const Expression& expression, Op op,
                                                 bool logical) {
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
program::ExprPtr ExpressionLowering::lower_state(const Expression& expression) {
  const Process& other = process(*expression.process);
  const std::string& name = expression.name.text;
  if (!expression.operands.empty() ||
      (in_proposition_ && !other.states.contains(name) && other.symbols.contains(name)))
    return lower_variable(expression);
  return is_at(other, state(other, expression.name), expression.position);
}

program::ExprPtr ExpressionLowering::lower_variable(const Expression& expression) {
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
  return call(*found.look_up, std::move(index), expression.position);
}

// The elements of a constant are not part of the state.  The type of the parameter checks the
// index.
std::uint32_t ExpressionLowering::look_up_function(const Symbol& symbol) {
  const Position position = symbol.name.position;
  const auto result = [&](Value value) {
    auto leave = statement(Do::leave, position);
    leave->value = literal(value, symbol.element, position);
    return leave;
  };
  program::Function function;
  function.name = symbol.name.text;
  function.position = position;
  const Type* index = numbers(0, *symbol.size - 1);
  function.frame.push_back({"index", index, program::Holds::value});
  function.parameters = 1;
  function.result = symbol.element;
  for (std::size_t i = 0; i < symbol.values.size(); ++i) {
    if (symbol.values[i] == 0) continue;
    Place parameter;
    parameter.type = index;
    parameter.position = position;
    auto choose = statement(Do::choose, position);
    program::Branch& branch = choose->branches.emplace_back();
    branch.condition = apply(Op::equal, read_place(std::move(parameter)),
                             literal(static_cast<Value>(i), index, position), truth_, position);
    branch.body.push_back(result(symbol.values[i]));
    function.body.push_back(std::move(choose));
  }
  function.body.push_back(result(0));
  return add_function(std::move(function));
}

void ExpressionLowering::examine_names(const Expression& expression) {
  attempt([&] {
    if (expression.form == Form::variable) symbol(expression);
    if (expression.form != Form::state) return;
    const Process& other = process(*expression.process);
    if (!in_proposition_ || !other.symbols.contains(expression.name.text))
      state(other, expression.name);
  });
  for (const ExpressionPtr& operand : expression.operands) examine_names(*operand);
}

bool ExpressionLowering::fits(const Expr& value, const Type& type) const {
  return program::inside(program::bounds(value, {}, program_.functions), type.domain);
}

// With sign extension.
program::ExprPtr ExpressionLowering::cut(ExprPtr value, const Type& type) const {
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

program::ExprPtr ExpressionLowering::fitted(ExprPtr value, const Type& type) const {
  return options_.errors == DveErrors::wrap ? cut(std::move(value), type) : std::move(value);
}

std::string ExpressionLowering::does_not_fit(Value value, const Name& name, const Type& type) {
  return fmt::format("{} does not fit {}: the range of {} is {} to {}", value, quoted(name.text),
                     type.name, type.domain.lowest(), type.domain.highest());
}

}  // namespace spillway::dve
