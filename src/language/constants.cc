#include "language/constants.h"

#include <utility>

#include "language/build.h"
#include "program/execution.h"

namespace spillway {
namespace {

using program::Expr;
using program::ExprPtr;
using program::Op;
using program::Value;
using Folded = std::optional<Value>;

// INT64_MIN stands for undefined, so it cannot be a result.
Folded checked(Value value) { return value == program::kUndefined ? Folded() : value; }

Folded shifted(Value a, Value by) {
  Value result = 0;
  return program::shift(a, by, result) ? checked(result) : Folded();
}

Folded binary(Op op, Value a, Value b) {
  Value result = 0;
  switch (op) {
    case Op::add: return __builtin_add_overflow(a, b, &result) ? Folded() : checked(result);
    case Op::subtract: return __builtin_sub_overflow(a, b, &result) ? Folded() : checked(result);
    case Op::multiply: return __builtin_mul_overflow(a, b, &result) ? Folded() : checked(result);
    case Op::divide: return b == 0 ? Folded() : a / b;
    case Op::remainder: return b == 0 ? Folded() : b == -1 ? 0 : a % b;
    case Op::bit_and: return checked(a & b);
    case Op::bit_or: return checked(a | b);
    case Op::bit_xor: return checked(a ^ b);
    case Op::shift_left: return shifted(a, b);
    case Op::shift_right: return shifted(a, -b);
    case Op::equal: return a == b;
    case Op::unequal: return a != b;
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::logical_and: return a != 0 && b != 0;
    case Op::logical_or: return a != 0 || b != 0;
    case Op::implies: return a == 0 || b != 0;
    default: return {};
  }
}

Folded unary(Op op, Value a) {
  switch (op) {
    case Op::negate: return -a;
    case Op::bit_not: return checked(~a);
    case Op::logical_not: return a == 0;
    default: return {};
  }
}

// The value if the left operand alone decides it.  Rumur decides 0 * f() and similar expressions as
// well, and models rely on it.
Folded decided_by_left(Op op, Value left) {
  switch (op) {
    case Op::logical_and: return left == 0 ? Folded(0) : Folded();
    case Op::logical_or: return left != 0 ? Folded(1) : Folded();
    case Op::implies: return left == 0 ? Folded(1) : Folded();
    case Op::multiply:
    case Op::divide:
    case Op::remainder:
    case Op::shift_left:
    case Op::shift_right: return left == 0 ? Folded(0) : Folded();
    default: return {};
  }
}

bool is_literal(const ExprPtr& expr) { return expr->op == Op::literal; }

ExprPtr literal(const Expr& like, Value value) {
  return spillway::literal(value, like.type, like.position);
}

}  // namespace

Folded fold(const Expr& expr) {
  switch (expr.op) {
    case Op::literal: return expr.value;
    case Op::conditional: {
      const Folded condition = fold(*expr.operands[0]);
      return condition ? fold(*expr.operands[*condition != 0 ? 1 : 2]) : Folded();
    }
    case Op::slot:
    case Op::read:
    case Op::call:
    case Op::for_all:
    case Op::exists:
    case Op::is_undefined:
    case Op::is_member:
    case Op::bag_count: return {};
    default: break;
  }
  const Folded left = fold(*expr.operands[0]);
  if (expr.operands.size() == 1) return left ? unary(expr.op, *left) : Folded();
  if (left)
    if (const Folded decided = decided_by_left(expr.op, *left)) {
      const Folded right = fold(*expr.operands[1]);
      const bool by_zero =
          (expr.op == Op::divide || expr.op == Op::remainder) && right && *right == 0;
      return by_zero ? Folded() : decided;
    }
  const Folded right = fold(*expr.operands[1]);
  if (expr.op == Op::multiply && right && *right == 0) return 0;
  return left && right ? binary(expr.op, *left, *right) : Folded();
}

namespace {

// A variable on its own may be copied while it is undefined.  As an operand it may not, so it must
// not replace the whole expression.
bool stands_for(const Expr& part) { return part.op != Op::read || part.place->type->total; }

ExprPtr instead(ExprPtr expr, std::size_t part) {
  return stands_for(*expr->operands[part]) ? std::move(expr->operands[part]) : std::move(expr);
}

}  // namespace

ExprPtr simplified(ExprPtr expr) {
  switch (expr->op) {
    case Op::logical_and:
    case Op::logical_or: {
      const bool neutral = expr->op == Op::logical_and;
      const ExprPtr &left = expr->operands[0], &right = expr->operands[1];
      const bool decides = is_literal(left) && (left->value != 0) != neutral;
      if (is_literal(left)) return instead(std::move(expr), decides ? 0 : 1);
      if (is_literal(right) && (right->value != 0) == neutral) return instead(std::move(expr), 0);
      return expr;
    }
    case Op::implies:
      if (!is_literal(expr->operands[0])) return expr;
      return expr->operands[0]->value != 0 ? instead(std::move(expr), 1) : literal(*expr, 1);
    case Op::conditional: {
      if (!is_literal(expr->operands[0])) return expr;
      const std::size_t chosen = expr->operands[0]->value != 0 ? 1 : 2;
      return instead(std::move(expr), chosen);
    }
    case Op::literal:
    case Op::slot:
    case Op::read:
    case Op::call:
    case Op::for_all:
    case Op::exists:
    case Op::is_undefined:
    case Op::is_member:
    case Op::bag_count: return expr;
    default: break;
  }
  for (const ExprPtr& operand : expr->operands)
    if (!is_literal(operand)) return expr;
  const Value first = expr->operands[0]->value;
  const Folded value = expr->operands.size() == 1
                           ? unary(expr->op, first)
                           : binary(expr->op, first, expr->operands[1]->value);
  return value ? literal(*expr, *value) : std::move(expr);
}

}  // namespace spillway
