// Expressions as C text.
#include <fmt/format.h>

#include "base/error.h"
#include "program/bounds.h"
#include "program/c/c_function.h"
#include "program/can_fail.h"
#include "program/execution.h"
#include "program/walk.h"

namespace spillway::program {

std::string CFunction::raw(const Expr& expr) {
  if (expr.op == Op::call) return call(expr, "");
  if (expr.op != Op::read) return scalar(expr);
  if (plain(*expr.place)) return fmt::format("l{}", expr.place->root);
  return value_of(*expr.place->type, load(*expr.place), true);
}

std::string CFunction::scalar(const Expr& expr) {
  const std::string text = unmarked_scalar(expr);
  if (expr.mark == kNoMark) return text;
  return fmt::format("(V)({} && MARK({}))", text, c_number(expr.mark));
}

std::string CFunction::unmarked_scalar(const Expr& expr) {
  const auto operand = [&](std::size_t i) { return scalar(*expr.operands[i]); };
  const auto compare = [&](const char* sign) {
    if (has_call(*expr.operands[0]) || has_call(*expr.operands[1])) {
      const std::string a = fresh("a");
      return fmt::format("({{ V {0} = {1}; (V)({0} {2} {3}); }})", a, operand(0), sign, operand(1));
    }
    return fmt::format("(V)({} {} {})", operand(0), sign, operand(1));
  };
  if ((expr.op == Op::read || expr.op == Op::call) && may_be_undefined(expr)) return raw(expr);
  switch (expr.op) {
    case Op::literal: return c_number(expr.value);
    case Op::slot: return fmt::format("l{}", expr.slot);
    case Op::read:
      if (plain(*expr.place)) return fmt::format("defined(x, l{})", expr.place->root);
      return value_of(*expr.place->type, load(*expr.place), false);
    case Op::call: return fmt::format("defined(x, {})", call(expr, ""));
    case Op::equal: return compare("==");
    case Op::unequal: return compare("!=");
    case Op::less: return compare("<");
    case Op::less_equal: return compare("<=");
    case Op::logical_not: return fmt::format("(V)!{}", operand(0));
    case Op::logical_and: return fmt::format("(V)({} && {})", operand(0), operand(1));
    case Op::logical_or: return fmt::format("(V)({} || {})", operand(0), operand(1));
    case Op::implies: return fmt::format("(V)(!{} || {})", operand(0), operand(1));
    case Op::conditional: return fmt::format("({} ? {} : {})", operand(0), operand(1), operand(2));
    case Op::for_all:
    case Op::exists: return quantified(expr);
    case Op::is_undefined:
      if (expr.place->type->total)
        return fmt::format("((void)({}), INT64_C(0))",
                           plain(*expr.place) ? "0" : load(*expr.place));
      if (plain(*expr.place)) return fmt::format("(V)(l{} == U)", expr.place->root);
      return fmt::format("(V)({} == 0)", load(*expr.place));
    case Op::is_member:
      return fmt::format("(V)(code{}({}) != 0)", tables_.domain(expr.type->domain), operand(0));
    case Op::bag_count: return bag_count(expr);
    default: return arithmetic(expr);
  }
}

std::string CFunction::arithmetic(const Expr& expr) {
  const Interval a = bounds_of(*expr.operands[0]);
  const bool two = expr.operands.size() > 1;
  const Interval b = two ? bounds_of(*expr.operands[1]) : Interval{0, 0};
  const bool fits = arithmetic_bounds(expr.op, a, b).fits;
  std::string left = scalar(*expr.operands[0]);
  std::string right = two ? scalar(*expr.operands[1]) : "";
  std::string first;
  if (two && (has_call(*expr.operands[0]) || has_call(*expr.operands[1]))) {
    const std::string p = fresh("a");
    const std::string q = fresh("a");
    first = fmt::format("V {} = {}; V {} = {}; ", p, left, q, right);
    left = p;
    right = q;
  }
  const auto text = [&]() -> std::string {
    const auto checked = [&](const char* function) {
      return fmt::format("{}(x, {}, {})", function, left, right);
    };
    const auto plainly = [&](const char* sign) {
      return fmt::format("({} {} {})", left, sign, right);
    };
    switch (expr.op) {
      case Op::negate: return fmt::format("(-{})", left);
      case Op::bit_not:
        return fits ? fmt::format("(~{})", left) : fmt::format("number(x, ~{})", left);
      case Op::add: return fits ? plainly("+") : checked("add");
      case Op::subtract: return fits ? plainly("-") : checked("sub");
      case Op::multiply: return fits ? plainly("*") : checked("mul");
      case Op::divide: return b.low > 0 ? plainly("/") : checked("quotient");
      case Op::remainder: return b.low > 0 ? plainly("%") : checked("rest");
      case Op::bit_and: return fits ? plainly("&") : fmt::format("number(x, {} & {})", left, right);
      case Op::bit_or: return fits ? plainly("|") : fmt::format("number(x, {} | {})", left, right);
      case Op::bit_xor: return fits ? plainly("^") : fmt::format("number(x, {} ^ {})", left, right);
      case Op::shift_left: return checked("left");
      case Op::shift_right: return checked("right");
      default:
        throw Error(Fault::internal, "the C generator does not know this kind of expression");
    }
  }();
  return first.empty() ? text : fmt::format("({{ {}{}; }})", first, text);
}

std::string CFunction::loop(const Range& range, SlotIndex slot) {
  if (range.type != nullptr) {
    const Domain& domain = range.type->domain;
    if (domain.size() > kMostValues) return "fail(x); for (; 0;)";
    if (domain.intervals().size() == 1)
      return fmt::format("for (l{0} = {1}; l{0} <= {2}; ++l{0})", slot, c_number(domain.lowest()),
                         c_number(domain.highest()));
    const std::string c = fresh("c");
    return fmt::format("for (W {0} = 1; {0} <= {1}u && (l{2} = value{3}({0}), 1); ++{0})", c,
                       domain.size(), slot, tables_.domain(domain));
  }
  // The number of iterations is computed first, because the counter might overflow after the end.
  const std::string a = fresh("a");
  const std::string b = fresh("a");
  const std::string by = fresh("a");
  const std::string n = fresh("n");
  return fmt::format(
      "V {0} = {3}; V {1} = {4}; V {2} = {5}; if (RARELY({2} == 0)) fail(x);\n"
      "W {6} = {2} > 0 ? ({0} <= {1} ? ((W){1} - (W){0}) / (W){2} + 1 : 0) : ({0} >= {1} ? ((W){0} "
      "- (W){1}) / (W)-{2} "
      "+ 1 : 0);\n"
      "if (RARELY({6} > {8}u)) fail(x);\n"
      "l{7} = {0}; for (; {6} != 0; --{6}, l{7} = {0} = (V)((W){0} + (W){2}))",
      a, b, by, scalar(*range.from), scalar(*range.to), range.by ? scalar(*range.by) : "1", n, slot,
      kMostValues);
}

std::string CFunction::quantified(const Expr& expr) {
  const bool until = expr.op == Op::exists;
  const std::string r = fresh("r");
  const std::string head = loop(expr.range, expr.slot);
  const bool all = expr.range.unordered && can_fail(*expr.operands[0], frame_, program_);
  const bool looks = work_.looks(expr.range, work_.of(*expr.operands[0], frame_), frame_);
  return fmt::format("({{ V {0} = {1}; {2} {{ {7}if ({3}{4}) {{ {0} = {5};{6} }} }} {0}; }})", r,
                     until ? 0 : 1, head, until ? "" : "!", scalar(*expr.operands[0]),
                     until ? 1 : 0, all ? "" : " break;", looks ? "LOOK; " : "");
}

std::string CFunction::bag_count(const Expr& expr) {
  const Type& bag = *expr.place->type;
  const At where = at(*expr.place);
  const std::string b = fresh("b");
  const std::string n = fresh("n");
  return fmt::format(
      "({{ B {0} = {1}; V {2} = 0; for (l{3} = 0; l{3} < {4}; ++l{3}) if (ld({5}, {0} + (B)l{3} * "
      "{6}u, 1) && {7}) "
      "++{2}; "
      "{2}; }})",
      "x" + b, where.bit, n, expr.slot, bag.capacity, where.base, 1 + bits_of(*bag.element),
      scalar(*expr.operands[0]));
}

std::string CFunction::call(const Expr& expr, const std::string& result) {
  const Function& function = program_.functions[expr.function];
  std::string before;
  std::string arguments;
  for (std::size_t i = 0; i < function.parameters; ++i) {
    const Slot& slot = function.frame[i];
    const Argument& argument = expr.arguments[i];
    const std::string a = fresh("a");
    if (slot.holds == Holds::reference) {
      const At where = at(*argument.place);
      before += fmt::format("W *{0} = {1}; B x{0} = {2}; ", a, where.base, where.bit);
      arguments += fmt::format(", {0}, x{0}", a);
    } else if (is_scalar(slot.type)) {
      const Interval bounds = bounds_of(*argument.value);
      const bool variable = slot.holds == Holds::value && !slot.type->total;
      std::string value = variable ? raw(*argument.value) : scalar(*argument.value);
      if (slot.type != nullptr && !inside(bounds, slot.type->domain)) {
        const std::string v = fresh("v");
        value = fmt::format("({{ V {0} = {1}; {2}{0}; }})", v, value,
                            checked(slot.type->domain, v, bounds, variable));
      }
      before += fmt::format("V {} = {}; ", a, value);
      arguments += fmt::format(", {}", a);
    } else if (argument.value->op == Op::call) {
      const std::string c = temporary(*slot.type);
      before += call(*argument.value, c) + "; ";
      arguments += fmt::format(", {}, 0", c);
    } else {
      const At where = at(*argument.value->place);
      before += fmt::format("const W *{0} = {1}; B x{0} = {2}; ", a, where.base, where.bit);
      arguments += fmt::format(", {0}, x{0}", a);
    }
  }
  if (!is_scalar(function.result)) {
    const std::string to = result.empty() ? temporary(*function.result) : result;
    before += fmt::format("memset({0}, 0, sizeof {0}); ", to);
    arguments = ", " + to + arguments;
  }
  return fmt::format("({{ {}f{}(x, t{}); }})", before, expr.function, arguments);
}

}  // namespace spillway::program
