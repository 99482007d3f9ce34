#include "program/can_fail.h"

#include <algorithm>

#include "program/bounds.h"
#include "program/execution.h"

namespace spillway::program {

bool can_fail(const Place& place, const Frame& frame, const Program& program) {
  const Type* type = place.in_state ? program.variables[place.root].type : frame[place.root].type;
  for (const Selector& step : place.steps) {
    if (!step.index) {
      type = type->fields[step.field].type;
      continue;
    }
    if (type->kind == Kind::bag || can_fail(*step.index, frame, program) ||
        !inside(bounds(*step.index, frame, program.functions), type->index->domain))
      return true;
    type = type->element;
  }
  return false;
}

bool can_fail(const Expr& expr, const Frame& frame, const Program& program) {
  const bool operands =
      std::any_of(expr.operands.begin(), expr.operands.end(),
                  [&](const ExprPtr& operand) { return can_fail(*operand, frame, program); });
  switch (expr.op) {
    case Op::literal:
    case Op::slot: return false;
    case Op::read:
      return !expr.place->type->is_scalar() ||
             (!expr.place->type->total && !may_be_undefined(expr)) ||
             can_fail(*expr.place, frame, program);
    case Op::is_undefined: return can_fail(*expr.place, frame, program);
    case Op::equal:
    case Op::unequal:
    case Op::less:
    case Op::less_equal:
    case Op::logical_not:
    case Op::logical_and:
    case Op::logical_or:
    case Op::implies:
    case Op::conditional:
    case Op::is_member: return operands;
    case Op::for_all:
    case Op::exists:
      return operands || expr.range.type == nullptr || expr.range.type->domain.size() > kMostValues;
    default: return true;
  }
}

}  // namespace spillway::program
