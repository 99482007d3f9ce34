#include "program/bounds.h"

#include <algorithm>

namespace spillway::program {
namespace {

__extension__ using Wide = __int128;

Result clamped(Wide low, Wide high) {
  const Wide least = kAnyNumber.low;
  const Wide most = kAnyNumber.high;
  const bool fits = least <= low && high <= most;
  return {{static_cast<Value>(std::clamp(low, least, most)),
           static_cast<Value>(std::clamp(high, least, most))},
          fits};
}

// The smallest 2^k - 1 that is at least `value`.
Value all_ones(Value value) {
  std::uint64_t ones = 0;
  while (ones < static_cast<std::uint64_t>(value)) ones = ones << 1 | 1;
  return static_cast<Value>(ones);
}

class KnownTypes final : public Known {
 public:
  KnownTypes(const Frame& frame, const std::vector<Function>& functions)
      : frame_(frame), functions_(functions) {}
  Interval slot(SlotIndex slot) const override { return bounds(frame_[slot].type); }
  Interval read(const Place& place) const override { return bounds(place.type); }
  Interval call(FunctionIndex function) const override {
    return bounds(functions_[function].result);
  }

 private:
  const Frame& frame_;
  const std::vector<Function>& functions_;
};

}  // namespace

Interval bounds(const Type* type) {
  return type == nullptr ? kAnyNumber : Interval{type->domain.lowest(), type->domain.highest()};
}

Interval bounds(const Expr& expr, const Frame& frame, const std::vector<Function>& functions) {
  return bounds(expr, KnownTypes(frame, functions));
}

std::optional<Interval> both(Interval a, Interval b) {
  const Interval result{std::max(a.low, b.low), std::min(a.high, b.high)};
  if (result.low > result.high) return std::nullopt;
  return result;
}

std::optional<std::pair<Interval, Interval>> refined(Op op, Compared left_operand,
                                                     Compared right_operand) {
  const Interval a = left_operand.bounds, b = right_operand.bounds;
  const bool a_may = left_operand.may_be_undefined, b_may = right_operand.may_be_undefined;
  const auto without = [](Interval from, Interval value) {  // only an end can be cut off
    if (value.low != value.high) return from;
    return Interval{from.low == value.low ? from.low + 1 : from.low,
                    from.high == value.low ? from.high - 1 : from.high};
  };
  std::optional<Interval> left, right;
  if (op == Op::equal) {
    left = right = both(a, b);
    if (!left && a_may && b_may) return std::pair(a, b);
  } else if (op == Op::unequal) {
    const bool one_value = a.low == a.high && a == b;
    if (one_value && !a_may && !b_may) return std::nullopt;
    left = b_may || one_value ? a : without(a, b);
    right = a_may || one_value ? b : without(b, a);
  } else {
    const Value apart = op == Op::less ? 1 : 0;
    if (b.high < kAnyNumber.low + apart || a.low > kAnyNumber.high - apart) return std::nullopt;
    left = both(a, {kAnyNumber.low, b.high - apart});
    right = both(b, {a.low + apart, kAnyNumber.high});
  }
  if (!left || !right) return std::nullopt;
  return std::pair(*left, *right);
}

bool inside(Interval inner, const Domain& domain) {
  return std::any_of(domain.intervals().begin(), domain.intervals().end(),
                     [&](const Interval& outer) { return inside(inner, outer); });
}

Result arithmetic_bounds(Op op, Interval a, Interval b) {
  switch (op) {
    case Op::negate: return clamped(-Wide{a.high}, -Wide{a.low});
    case Op::add: return clamped(Wide{a.low} + b.low, Wide{a.high} + b.high);
    case Op::subtract: return clamped(Wide{a.low} - b.high, Wide{a.high} - b.low);
    case Op::multiply: {
      const Wide corners[] = {Wide{a.low} * b.low, Wide{a.low} * b.high, Wide{a.high} * b.low,
                              Wide{a.high} * b.high};
      return clamped(*std::min_element(corners, corners + 4),
                     *std::max_element(corners, corners + 4));
    }
    case Op::divide: {
      const Value most = std::max(std::abs(a.low), std::abs(a.high));
      return {{a.low >= 0 && b.low >= 0 ? 0 : -most, most}, true};
    }
    case Op::remainder: {
      const Value most = std::max(std::abs(a.low), std::abs(a.high));
      const Value below = std::max<Value>(std::max(std::abs(b.low), std::abs(b.high)) - 1, 0);
      const Value limit = std::min(most, below);
      return {{a.low >= 0 ? 0 : -limit, a.high <= 0 ? 0 : limit}, true};
    }
    case Op::bit_and:
      // There is nothing to cut off.
      if (b.low == b.high && all_ones(b.low) == b.low && inside(a, {0, b.low})) return {a, true};
      if (a.low >= 0 && b.low >= 0) return {{0, std::min(a.high, b.high)}, true};
      if (a.low >= 0 || b.low >= 0) return {{0, a.low >= 0 ? a.high : b.high}, true};
      return {kAnyNumber, false};
    case Op::bit_or:
    case Op::bit_xor:
      if (a.low >= 0 && b.low >= 0) return {{0, all_ones(std::max(a.high, b.high))}, true};
      return {kAnyNumber, false};
    case Op::bit_not: return clamped(-Wide{a.high} - 1, -Wide{a.low} - 1);
    case Op::shift_right:
      if (b.low >= 0) return {{std::min<Value>(a.low, 0), std::max<Value>(a.high, 0)}, true};
      return {kAnyNumber, false};
    default: return {kAnyNumber, false};
  }
}

Interval bounds(const Expr& expr, const Known& known) {
  const auto operand = [&](std::size_t i) { return bounds(*expr.operands[i], known); };
  switch (expr.op) {
    case Op::literal: return {expr.value, expr.value};
    case Op::slot: return known.slot(expr.slot);
    case Op::read: return known.read(*expr.place);
    case Op::call: return known.call(expr.function);
    case Op::negate:
    case Op::bit_not: return arithmetic_bounds(expr.op, operand(0), {0, 0}).bounds;
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::remainder:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::shift_left:
    case Op::shift_right: return arithmetic_bounds(expr.op, operand(0), operand(1)).bounds;
    case Op::conditional: {
      const Interval a = operand(1);
      const Interval b = operand(2);
      return {std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    case Op::bag_count: return {0, static_cast<Value>(expr.place->type->capacity)};
    default: return {0, 1};
  }
}

}  // namespace spillway::program
