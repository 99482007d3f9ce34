#include "program/work.h"

#include <algorithm>

#include "program/bounds.h"
#include "program/execution.h"
#include "program/layout.h"

namespace spillway::program {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

// REQUIRES: both are at most kMost.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kMost); }

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kMost : std::min(result, kMost);
}

std::uint64_t copied(const Type* type) { return type == nullptr ? 1 : 1 + bits_of(*type) / 56; }

// A bag is sorted after each rule.  It has few slots, but each may be compared with each.
std::uint64_t sorted(const Type& type) {
  switch (type.kind) {
    case Kind::scalar: return 0;
    case Kind::record: {
      std::uint64_t all = 0;
      for (const Field& field : type.fields) all = sum(all, sorted(*field.type));
      return all;
    }
    case Kind::array: return product(type.index->domain.size(), sorted(*type.element));
    case Kind::bag: return product(product(type.capacity, type.capacity), copied(type.element));
  }
  return 0;
}

}  // namespace

Work::Work(const Program& program)
    : program_(program), functions_(program.functions.size()), open_(program.functions.size()) {
  for (const Variable& variable : program.variables)
    successor_ = sum(successor_, sum(copied(variable.type), sorted(*variable.type)));
}

bool Work::looks(std::uint64_t turns, std::uint64_t turn) const {
  return product(turns, turn) > kStepsBetweenLooks;
}

bool Work::looks(const Range& range, std::uint64_t turn, const Frame& frame) {
  return looks(turns(range, frame), turn);
}

std::uint64_t Work::of_loop(std::uint64_t turns, std::uint64_t turn) const {
  return looks(turns, turn) ? 1 : product(turns, turn);
}

std::uint64_t Work::turns(const Range& range, const Frame& frame) const {
  if (range.type != nullptr) return range.type->domain.size();
  const Interval from = bounds(*range.from, frame, program_.functions);
  const Interval to = bounds(*range.to, frame, program_.functions);
  const Value low = std::min(from.low, to.low);
  const Value high = std::max(from.high, to.high);
  const auto most = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  return std::min(most, kMostValues) + 1;
}

std::uint64_t Work::of(const Place& place, const Frame& frame) {
  std::uint64_t steps = 1;
  for (const Selector& step : place.steps)
    if (step.index) steps = sum(steps, sum(1, of(*step.index, frame)));
  return steps;
}

std::uint64_t Work::of_call(const Expr& expr, const Frame& frame) {
  std::uint64_t steps = 1;
  for (const Argument& argument : expr.arguments) {
    if (argument.value)
      steps = sum(steps, sum(copied(argument.value->type), of(*argument.value, frame)));
    if (argument.place) steps = sum(steps, of(*argument.place, frame));
  }
  std::optional<std::uint64_t>& known = functions_[expr.function];
  if (!known) {
    if (open_[expr.function]) return steps;  // a recursive call polls
    open_[expr.function] = true;
    const Function& function = program_.functions[expr.function];
    known = of(function.body, function.frame);
    open_[expr.function] = false;
  }
  return sum(steps, *known);
}

std::uint64_t Work::of(const Expr& expr, const Frame& frame) {
  std::uint64_t steps = 1;
  if (expr.place) steps = sum(steps, of(*expr.place, frame));
  for (const ExprPtr* part : {&expr.range.from, &expr.range.to, &expr.range.by})
    if (*part) steps = sum(steps, of(**part, frame));
  std::uint64_t inner = 1;
  for (const ExprPtr& operand : expr.operands) inner = sum(inner, of(*operand, frame));
  switch (expr.op) {
    case Op::for_all:
    case Op::exists: return sum(steps, of_loop(turns(expr.range, frame), inner));
    case Op::bag_count: return sum(steps, product(expr.place->type->capacity, inner));
    case Op::call: return sum(steps, of_call(expr, frame));
    default: return sum(steps, inner);
  }
}

std::uint64_t Work::of(const Body& body, const Frame& frame) {
  std::uint64_t steps = 1;
  for (const auto& statement : body) steps = sum(steps, of(*statement, frame));
  return steps;
}

std::uint64_t Work::of(const Statement& statement, const Frame& frame) {
  std::uint64_t steps = 1;
  if (statement.place)
    steps = sum(steps, sum(of(*statement.place, frame), copied(statement.place->type)));
  if (statement.value) steps = sum(steps, of(*statement.value, frame));
  for (const ExprPtr* part : {&statement.range.from, &statement.range.to, &statement.range.by})
    if (*part) steps = sum(steps, of(**part, frame));
  std::uint64_t inner = 1;
  for (const Branch& branch : statement.branches) {
    if (branch.condition) inner = sum(inner, of(*branch.condition, frame));
    inner = sum(inner, of(branch.body, frame));
  }
  switch (statement.what) {
    case Do::loop_over: return sum(steps, of_loop(turns(statement.range, frame), inner));
    case Do::loop_while: return sum(steps, 1);  // polls in every iteration
    case Do::bag_add:
    case Do::bag_remove_if: return product(statement.place->type->capacity, steps);
    default: return sum(steps, inner);
  }
}

}  // namespace spillway::program
