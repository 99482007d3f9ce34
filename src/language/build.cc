#include "language/build.h"

#include <span>

#include "language/constants.h"
#include "program/walk.h"

namespace spillway {

using program::Expr;
using program::ExprPtr;
using program::Op;
using program::Place;
using program::Position;
using program::Type;

namespace {

struct Nodes : program::Visitor {
  using program::Visitor::operator();
  void operator()(const Expr&) { ++count; }
  void operator()(const Place& place) { count += 1 + place.steps.size(); }
  std::uint64_t count = 0;
};

template <class Node>
std::uint64_t nodes_of(const Node& node) {
  Nodes nodes;
  walk(node, nodes);
  return nodes.count;
}

ExprPtr copy(const ExprPtr& expr) { return expr == nullptr ? nullptr : spillway::copy(*expr); }

ExprPtr all(Op op, std::span<ExprPtr> operands, const Type* type, Position position) {
  if (operands.size() == 1) return std::move(operands[0]);
  const std::size_t half = operands.size() / 2;
  ExprPtr left = all(op, operands.first(half), type, position);
  return apply(op, std::move(left), all(op, operands.subspan(half), type, position), type,
               position);
}

}  // namespace

ExprPtr new_expr(Op op, const Type* type, Position position) {
  auto result = std::make_unique<Expr>();
  result->op = op;
  result->type = type;
  result->position = position;
  return result;
}

ExprPtr literal(program::Value value, const Type* type, Position position) {
  ExprPtr result = new_expr(Op::literal, type, position);
  result->value = value;
  return result;
}

ExprPtr read_slot(program::SlotIndex slot, const Type* type, Position position) {
  ExprPtr result = new_expr(Op::slot, type, position);
  result->slot = slot;
  return result;
}

ExprPtr read_place(Place place) {
  ExprPtr result = new_expr(Op::read, place.type, place.position);
  result->place = std::move(place);
  return result;
}

ExprPtr is_undefined(Place place, const Type* truth) {
  ExprPtr result = new_expr(Op::is_undefined, truth, place.position);
  result->place = std::move(place);
  return result;
}

ExprPtr apply(Op op, ExprPtr a, const Type* type, Position position) {
  ExprPtr result = new_expr(op, type, position);
  result->operands.push_back(std::move(a));
  return simplified(std::move(result));
}

ExprPtr apply(Op op, ExprPtr a, ExprPtr b, const Type* type, Position position) {
  ExprPtr result = new_expr(op, type, position);
  result->operands.push_back(std::move(a));
  result->operands.push_back(std::move(b));
  return simplified(std::move(result));
}

ExprPtr apply_greater(ExprPtr left, ExprPtr right, bool or_equal, const Type* truth,
                      Position position) {
  const auto is_plain = [](const Expr& expr) {
    return expr.op == Op::literal || expr.op == Op::slot;
  };
  if (is_plain(*left) || is_plain(*right))
    return apply(or_equal ? Op::less_equal : Op::less, std::move(right), std::move(left), truth,
                 position);
  return apply(Op::logical_not,
               apply(or_equal ? Op::less : Op::less_equal, std::move(left), std::move(right), truth,
                     position),
               truth, position);
}

ExprPtr apply_all(Op op, std::vector<ExprPtr> operands, const Type* type, Position position) {
  return all(op, operands, type, position);
}

ExprPtr copy(const Expr& expr) {
  ExprPtr result = new_expr(expr.op, expr.type, expr.position);
  result->value = expr.value;
  result->slot = expr.slot;
  result->undefined = expr.undefined;
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
  for (const program::Selector& step : place.steps)
    result.steps.push_back({step.field, copy(step.index)});
  return result;
}

std::uint64_t weight(const Expr& expr) { return nodes_of(expr); }
std::uint64_t weight(const Place& place) { return nodes_of(place); }

program::StatementPtr statement(program::Do what, Position position) {
  auto result = std::make_unique<program::Statement>();
  result->what = what;
  result->position = position;
  return result;
}

}  // namespace spillway
