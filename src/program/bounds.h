// Which values an expression can have at all.  Code is generated without checks where they cannot
// fail.
#pragma once

#include "program/program.h"

namespace spillway::program {

inline constexpr Interval kAnyNumber{INT64_MIN + 1, INT64_MAX};

// What is known of the parts of an expression.
class Known {
 public:
  virtual ~Known() = default;
  virtual Interval slot(SlotIndex slot) const = 0;
  virtual Interval read(const Place& place) const = 0;
  virtual Interval call(FunctionIndex function) const = 0;
};

// Of a defined value.  REQUIRES: a scalar expression.
Interval bounds(const Expr& expr, const Known& known);
// The same if only types are known.  REQUIRES: it belongs to a rule, property or function with this
// frame.
Interval bounds(const Expr& expr, const Frame& frame, const std::vector<Function>& functions);
// All values of the type; nullptr: any number.
Interval bounds(const Type* type);

// Whether the result of an arithmetic operation on values within these bounds always fits 64 bits,
// and its bounds.
struct Result {
  Interval bounds;
  bool fits;
};
Result arithmetic_bounds(Op op, Interval a, Interval b);

inline bool inside(Interval inner, Interval outer) {
  return outer.low <= inner.low && inner.high <= outer.high;
}
// Whether every value within the bounds is in the domain.
bool inside(Interval inner, const Domain& domain);

}  // namespace spillway::program
