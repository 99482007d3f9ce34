#include "language/build.h"

#include <span>

#include "language/constants.h"

namespace spillway {

using program::Expr;
using program::ExprPtr;
using program::Op;
using program::Place;
using program::Position;
using program::Type;

namespace {

ExprPtr make(Op op, const Type* type, Position position) {
  auto result = std::make_unique<Expr>();
  result->op = op;
  result->type = type;
  result->position = position;
  return result;
}

ExprPtr copy(const ExprPtr& expr) { return expr == nullptr ? nullptr : spillway::copy(*expr); }

ExprPtr all(Op op, std::span<ExprPtr> operands, const Type* type, Position position) {
  if (operands.size() == 1) return std::move(operands[0]);
  const std::size_t half = operands.size() / 2;
  ExprPtr left = all(op, operands.first(half), type, position);
  return apply(op, std::move(left), all(op, operands.subspan(half), type, position), type, position);
}

}  // namespace

ExprPtr literal(program::Value value, const Type* type, Position position) {
  ExprPtr result = make(Op::literal, type, position);
  result->value = value;
  return result;
}

ExprPtr read_slot(program::SlotIndex slot, const Type* type, Position position) {
  ExprPtr result = make(Op::slot, type, position);
  result->slot = slot;
  return result;
}

ExprPtr read_place(Place place) {
  ExprPtr result = make(Op::read, place.type, place.position);
  result->place = std::move(place);
  return result;
}

ExprPtr is_undefined(Place place, const Type* truth) {
  ExprPtr result = make(Op::is_undefined, truth, place.position);
  result->place = std::move(place);
  return result;
}

ExprPtr apply(Op op, ExprPtr a, const Type* type, Position position) {
  ExprPtr result = make(op, type, position);
  result->operands.push_back(std::move(a));
  return simplified(std::move(result));
}

ExprPtr apply(Op op, ExprPtr a, ExprPtr b, const Type* type, Position position) {
  ExprPtr result = make(op, type, position);
  result->operands.push_back(std::move(a));
  result->operands.push_back(std::move(b));
  return simplified(std::move(result));
}

ExprPtr apply_all(Op op, std::vector<ExprPtr> operands, const Type* type, Position position) {
  return all(op, operands, type, position);
}

ExprPtr copy(const Expr& expr) {
  ExprPtr result = make(expr.op, expr.type, expr.position);
  result->value = expr.value;
  result->slot = expr.slot;
  if (expr.place) result->place = spillway::copy(*expr.place);
  result->function = expr.function;
  for (const program::Argument& argument : expr.arguments) {
    program::Argument mine;
    mine.value = copy(argument.value);
    if (argument.place) mine.place = spillway::copy(*argument.place);
    result->arguments.push_back(std::move(mine));
  }
  result->range.type = expr.range.type;
  result->range.from = copy(expr.range.from);
  result->range.to = copy(expr.range.to);
  result->range.by = copy(expr.range.by);
  result->range.unordered = expr.range.unordered;
  for (const ExprPtr& operand : expr.operands) result->operands.push_back(copy(operand));
  return result;
}

Place copy(const Place& place) {
  Place result;
  result.in_state = place.in_state;
  result.root = place.root;
  result.type = place.type;
  result.position = place.position;
  for (const program::Step& step : place.steps) result.steps.push_back({step.field, copy(step.index)});
  return result;
}

std::uint64_t weight(const Expr& expr) {
  std::uint64_t result = 1 + (expr.place ? weight(*expr.place) : 0);
  for (const program::Argument& argument : expr.arguments)
    result += argument.value != nullptr ? weight(*argument.value) : argument.place ? weight(*argument.place) : 0;
  for (const ExprPtr* part : {&expr.range.from, &expr.range.to, &expr.range.by})
    if (*part != nullptr) result += weight(**part);
  for (const ExprPtr& operand : expr.operands) result += weight(*operand);
  return result;
}

std::uint64_t weight(const Place& place) {
  std::uint64_t result = 1 + place.steps.size();
  for (const program::Step& step : place.steps)
    if (step.index != nullptr) result += weight(*step.index);
  return result;
}

std::unique_ptr<program::Statement> statement(program::Do what, Position position) {
  auto result = std::make_unique<program::Statement>();
  result->what = what;
  result->position = position;
  return result;
}

}  // namespace spillway
