// Bounds on the values of an expression.  The C generator leaves out checks that the bounds prove
// unnecessary.
#pragma once

#include <optional>
#include <utility>

#include "program/program.h"

namespace spillway::program {

inline constexpr Interval kAnyNumber{INT64_MIN + 1, INT64_MAX};

// What is known about the parts of an expression.
class Known {
 public:
  virtual ~Known() = default;
  virtual Interval slot(SlotIndex slot) const = 0;
  virtual Interval read(const Place& place) const = 0;
  virtual Interval call(FunctionIndex function) const = 0;
};

// Bounds on the value, if it is defined.  REQUIRES: a scalar expression.
Interval bounds(const Expr& expr, const Known& known);
// The same when only types are known.  REQUIRES: the expression belongs to a rule, property or
// function with this frame.
Interval bounds(const Expr& expr, const Frame& frame, const std::vector<Function>& functions);
// The values of the type; nullptr means any number.
Interval bounds(const Type* type);

// The bounds of an arithmetic operation on values within the given bounds, and whether the result
// always fits in 64 bits.
struct Result {
  Interval bounds;
  bool fits;
};
Result arithmetic_bounds(Op op, Interval a, Interval b);

// The values in both; nothing if there is none.
std::optional<Interval> both(Interval a, Interval b);
// What is left of the bounds of two operands where the comparison is true; nothing if it cannot be.
// REQUIRES: `op` is equal, unequal, less or less_equal, and both are its operands in their order.
struct Compared {
  Interval bounds;                // if it is defined
  bool may_be_undefined = false;  // and yet be compared
};
std::optional<std::pair<Interval, Interval>> refined(Op op, Compared a, Compared b);

inline bool inside(Interval inner, Interval outer) {
  return outer.low <= inner.low && inner.high <= outer.high;
}
// Whether every value within the bounds is in the domain.
bool inside(Interval inner, const Domain& domain);

}  // namespace spillway::program
