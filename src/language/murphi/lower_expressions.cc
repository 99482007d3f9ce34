#include <fmt/format.h>

#include <algorithm>

#include "language/build.h"
#include "language/constants.h"
#include "language/murphi/expression_lowering.h"

namespace spillway::murphi {

// In is_member, `type` is the type that is asked about, not that of the result.
const Type* ExpressionLowering::type_of(const Expr& expr) const {
  return expr.op == Op::is_member ? types_.truth() : expr.type;
}

void ExpressionLowering::leave_unchecked(Expr& value) const {
  if (value.op == Op::conditional)
    for (const std::size_t i : {1u, 2u}) leave_unchecked(*value.operands[i]);
  if ((value.op == Op::read || value.op == Op::call) && types_.is_unchecked(value.type))
    value.undefined =
        habits_.undefined_counts ? program::Undefined::counts : program::Undefined::differs;
}

program::ExprPtr ExpressionLowering::lower(const Expression& expression) {
  ExprPtr result = lower_any(expression);
  if (!is_scalar(type_of(*result)))
    refuse(expression.position,
           fmt::format("expected a simple value, but this is {}", shown(*result)));
  return result;
}

program::ExprPtr ExpressionLowering::lower_number(const Expression& expression, const char* what) {
  ExprPtr result = lower_any(expression);
  if (sort(type_of(*result)) != Sort::number)
    refuse(expression.position,
           fmt::format("{} must be a number, but this is {}", what, shown(*result)));
  return result;
}

program::ExprPtr ExpressionLowering::lower_truth(const Expression& expression, const char* what) {
  ExprPtr result = lower_any(expression);
  if (sort(type_of(*result)) != Sort::truth)
    refuse(expression.position,
           fmt::format("{} must be a boolean, but this is {}", what, shown(*result)));
  return result;
}

// Outside of rules and functions there is no frame, so the expression must not depend on one.
std::pair<Value, const Type*> ExpressionLowering::constant(const Expression& expression,
                                                           const char* what) {
  const Context outer = std::exchange(context_, Context{.frame = &no_frame_, .constant = true});
  no_frame_.clear();
  const ExprPtr lowered = lower(expression);
  context_ = outer;
  const std::optional<Value> value = fold(*lowered);
  if (!value) refuse(expression.position, fmt::format("{} must be constant", what));
  return {*value, type_of(*lowered)};
}

program::ExprPtr ExpressionLowering::lower_any(const Expression& expression) {
  const Position position = expression.position;
  switch (expression.form) {
    case Form::number: return literal(expression.value, nullptr, position);
    case Form::truth: return literal(expression.value, types_.truth(), position);
    case Form::name: return lower_name(expression);
    case Form::field:
    case Form::element: {
      Location found = std::move(*location(expression));
      mark_read(*found.symbol);
      return read_place(std::move(found.place));
    }
    case Form::call: return lower_call(expression, true);
    case Form::negate:
      return apply(Op::negate, lower_number(*expression.operands[0], "the operand of '-'"), nullptr,
                   position);
    case Form::bit_not:
      return apply(Op::bit_not, lower_number(*expression.operands[0], "the operand of '~'"),
                   nullptr, position);
    case Form::logical_not:
      return apply(Op::logical_not, lower_truth(*expression.operands[0], "the operand of '!'"),
                   types_.truth(), position);
    case Form::add: return lower_arithmetic(expression, Op::add);
    case Form::subtract: return lower_arithmetic(expression, Op::subtract);
    case Form::multiply: return lower_arithmetic(expression, Op::multiply);
    case Form::divide: return lower_arithmetic(expression, Op::divide);
    case Form::remainder: return lower_arithmetic(expression, Op::remainder);
    case Form::shift_left: return lower_arithmetic(expression, Op::shift_left);
    case Form::shift_right: return lower_arithmetic(expression, Op::shift_right);
    case Form::equal:
    case Form::unequal:
    case Form::less:
    case Form::less_equal:
    case Form::greater:
    case Form::greater_equal: return lower_comparison(expression);
    case Form::and_:
    case Form::or_:
    case Form::xor_:
    case Form::logical_and:
    case Form::logical_or: return lower_chain(expression);
    case Form::implies: {
      ExprPtr left = lower_truth(*expression.operands[0], "the left side of '->'");
      return apply(Op::implies, std::move(left),
                   lower_truth(*expression.operands[1], "the right side of '->'"), types_.truth(),
                   position);
    }
    case Form::conditional: return lower_conditional(expression);
    case Form::for_all:
    case Form::exists: return lower_quantified(expression);
    case Form::is_undefined: return lower_is_undefined(expression);
    case Form::is_member: return lower_is_member(expression);
    case Form::multiset_count: return lower_multiset_count(expression);
    case Form::wrong: throw Spoiled();
  }
  refuse(position, "this expression is not supported");
}

program::ExprPtr ExpressionLowering::lower_name(const Expression& expression) {
  Symbol& symbol = look_up(expression.name);
  const Position position = expression.position;
  mark_read(symbol);
  switch (symbol.means) {
    case Means::constant: return literal(symbol.value, symbol.type, position);
    case Means::counter: return read_slot(symbol.index, symbol.type, position);
    case Means::value: expand(symbol.weight, position); return copy(*symbol.expression);
    case Means::variable:
    case Means::local:
    case Means::place: return read_place(std::move(location(expression)->place));
    case Means::type:
    case Means::function:
    case Means::bag_index:
    case Means::wrong: break;
  }
  refuse(position,
         fmt::format("expected a value, but {}{}", described(symbol),
                     symbol.means == Means::function ? "; its arguments are missing" : ""));
}

program::ExprPtr ExpressionLowering::lower_arithmetic(const Expression& expression, Op op) {
  ExprPtr left = lower_number(*expression.operands[0], "the left operand");
  return apply(op, std::move(left), lower_number(*expression.operands[1], "the right operand"),
               nullptr, expression.position);
}

// '&' and '|' are logical for truth values and bitwise for numbers.
program::ExprPtr ExpressionLowering::lower_chain(const Expression& expression) {
  std::vector<ExprPtr> operands;
  const bool logical_only =
      expression.form == Form::logical_and || expression.form == Form::logical_or;
  const bool bits_only = expression.form == Form::xor_;
  bool fine = true;
  for (const ExpressionPtr& written : expression.operands) {
    const bool lowered = attempt([&] {
      operands.push_back(lower(*written));
      if (!fine) return;  // one error about what belongs together is enough
      const Sort mine = sort(type_of(*operands.back()));
      const Sort first = sort(type_of(*operands.front()));
      if (mine == Sort::symbol || (logical_only && mine != Sort::truth) ||
          (bits_only && mine != Sort::number) || mine != first)
        refuse(written->position, fmt::format("expected {}, but this is {}",
                                              logical_only           ? "a boolean"
                                              : bits_only            ? "a number"
                                              : operands.size() == 1 ? "a boolean or a number"
                                              : first == Sort::truth ? "a boolean, as on the left"
                                                                     : "a number, as on the left",
                                              shown(*operands.back())));
    });
    if (!lowered) examine_names(*written);
    fine &= lowered;
  }
  if (!fine) throw Spoiled();
  const bool truth = sort(type_of(*operands.front())) == Sort::truth;
  const bool conjunction = expression.form == Form::and_ || expression.form == Form::logical_and;
  const Op op = bits_only     ? Op::bit_xor
                : conjunction ? (truth ? Op::logical_and : Op::bit_and)
                              : (truth ? Op::logical_or : Op::bit_or);
  return apply_all(op, std::move(operands), truth ? types_.truth() : nullptr, expression.position);
}

program::ExprPtr ExpressionLowering::lower_conditional(const Expression& expression) {
  ExprPtr result = new_expr(Op::conditional, nullptr, expression.position);
  result->operands.push_back(lower_truth(*expression.operands[0], "the condition before '?'"));
  for (const std::size_t i : {1u, 2u}) result->operands.push_back(lower(*expression.operands[i]));
  const Type *yes = type_of(*result->operands[1]), *no = type_of(*result->operands[2]);
  if (!types_.compatible(yes, no))
    refuse(expression.operands[2]->position,
           fmt::format("both results of '?:' must have the same type, but one is {} and "
                       "the other is {}",
                       types_.shown(yes), types_.shown(no)));
  if (types_.same(yes, no)) {
    result->type = yes;
  } else if (sort(yes) == Sort::number) {
    result->type = nullptr;
  } else {
    for (const Type* part : {yes, no})
      for (const program::Names& names : part->names)
        expand(names.names.size(), expression.position);
    result->type = types_.union_of({yes, no});
  }
  return simplified(std::move(result));
}

program::ExprPtr ExpressionLowering::lower_quantified(const Expression& expression) {
  ExprPtr result = new_expr(expression.form == Form::for_all ? Op::for_all : Op::exists,
                            types_.truth(), expression.position);
  scopes_.push();
  result->slot = lower_quantifier(*expression.quantifier, result->range);
  result->operands.push_back(lower_truth(*expression.operands[0], "the body of the quantifier"));
  scopes_.pop();
  return result;
}

program::SlotIndex ExpressionLowering::lower_quantifier(const Quantifier& quantifier,
                                                        program::Range& range) {
  if (quantifier.type != nullptr) {
    range.type = resolve_counted(*quantifier.type);
    if (!range.type->is_scalar())
      refuse(quantifier.type->position,
             fmt::format("a counter must have a simple type, but this is {}",
                         types_.shown(range.type)));
    range.unordered = types_.has_scalarset(range.type);
  } else {
    range.from = lower_number(*quantifier.from, "the first value");
    range.to = lower_number(*quantifier.to, "the last value");
    if (quantifier.by != nullptr) range.by = lower_number(*quantifier.by, "the step");
    check_steps(quantifier, range);
  }
  Symbol& symbol = declare(Means::counter, quantifier.name, range.type);
  return symbol.index = slot(quantifier.name, range.type, program::Holds::constant);
}

// Refuses a loop that never ends or goes the wrong way, if that can be seen here.
void ExpressionLowering::check_steps(const Quantifier& quantifier,
                                     const program::Range& range) const {
  if (range.by == nullptr) return;
  const auto from = fold(*range.from), to = fold(*range.to), by = fold(*range.by);
  if (!by) return;
  if (*by == 0) refuse(quantifier.by->position, "the step must not be 0");
  if (from && to && ((*by > 0 && *from > *to) || (*by < 0 && *from < *to)))
    refuse(quantifier.by->position,
           fmt::format("a step of {} never leads from {} to {}", *by, *from, *to));
}

program::ExprPtr ExpressionLowering::lower_is_undefined(const Expression& expression) {
  const Expression& operand = *expression.operands[0];
  if (operand.form == Form::name) {
    Symbol& symbol = look_up(operand.name);
    if (symbol.means == Means::counter) {
      mark_read(symbol);
      return literal(0, types_.truth(), expression.position);
    }
  }
  Location found = place_of(operand, "the argument of isundefined");
  mark_read(*found.symbol);
  if (!is_scalar(found.place.type))
    refuse(operand.position,
           fmt::format("the argument of isundefined must be a simple variable, but this is {}",
                       types_.shown(found.place.type)));
  return is_undefined(std::move(found.place), types_.truth());
}

program::ExprPtr ExpressionLowering::lower_is_member(const Expression& expression) {
  ExprPtr result = new_expr(Op::is_member, nullptr, expression.position);
  result->operands.push_back(lower(*expression.operands[0]));
  result->type = resolve(*expression.type, {});
  if (!types_.compatible(type_of(*result->operands[0]), result->type))
    refuse(expression.operands[0]->position,
           fmt::format("a member of this type is {}, but this is {}", types_.shown(result->type),
                       shown(*result->operands[0])));
  leave_unchecked(*result->operands[0]);
  return result;
}

program::ExprPtr ExpressionLowering::lower_multiset_count(const Expression& expression) {
  ExprPtr result = new_expr(Op::bag_count, nullptr, expression.position);
  result->place = bag_of(*expression.operands[0], false).place;
  scopes_.push();
  result->slot = slot(expression.name, nullptr, program::Holds::constant);
  declare(Means::bag_index, expression.name, nullptr).index = result->slot;
  result->operands.push_back(
      lower_truth(*expression.operands[1], "the condition of multisetcount"));
  scopes_.pop();
  return result;
}

}  // namespace spillway::murphi
