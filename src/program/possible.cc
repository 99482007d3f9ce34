#include "program/possible.h"

#include <algorithm>

#include "program/bounds.h"

namespace spillway::program {
namespace {

// What is known of variables, parameters and counters where a condition holds.
class Circumstances final : public Known {
 public:
  Circumstances(const Frame& frame, const std::vector<Function>& functions,
                const std::vector<Parameter>& parameters)
      : frame_(&frame), functions_(&functions), parameters_(&parameters) {}

  Interval slot(SlotIndex slot) const override {
    for (const Fact& fact : facts_)
      if (fact.of->op == Op::slot && fact.of->slot == slot) return fact.values;
    for (const Parameter& parameter : *parameters_)
      if (parameter.slot == slot && !parameter.values.empty()) {
        const auto [low, high] = std::ranges::minmax(parameter.values);
        return {low, high};
      }
    return bounds((*frame_)[slot].type);
  }
  Interval read(const Place& place) const override {
    for (const Fact& fact : facts_)
      if (fact.of->op == Op::read && alike(*fact.of->place, place)) return fact.values;
    return bounds(place.type);
  }
  Interval call(FunctionIndex function) const override {
    return bounds((*functions_)[function].result);
  }

  // Whether the condition can have this value; if so, what is known then.
  bool admit(const Expr& condition, bool truth) {
    switch (condition.op) {
      case Op::logical_not: return admit(*condition.operands[0], !truth);
      case Op::logical_and:
        return truth ? admit_both(condition, true, true) : admit_one(condition, false, false);
      case Op::logical_or:
        return truth ? admit_one(condition, true, true) : admit_both(condition, false, false);
      case Op::implies:
        return truth ? admit_one(condition, false, true) : admit_both(condition, true, false);
      case Op::for_all: return admit_turn(condition, truth, truth);
      case Op::exists: return admit_turn(condition, truth, !truth);
      case Op::equal: return admit(condition, truth ? Op::equal : Op::unequal, 0, 1);
      case Op::unequal: return admit(condition, truth ? Op::unequal : Op::equal, 0, 1);
      case Op::less:
        return truth ? admit(condition, Op::less, 0, 1) : admit(condition, Op::less_equal, 1, 0);
      case Op::less_equal:
        return truth ? admit(condition, Op::less_equal, 0, 1) : admit(condition, Op::less, 1, 0);
      default: return learn(condition, truth ? Interval{1, 1} : Interval{0, 0}, condition);
    }
  }

  const Expr* obstacle() const { return obstacle_; }

 private:
  struct Fact {
    const Expr* of;  // a slot, or a place that is read
    Interval values;
  };

  bool admit_both(const Expr& condition, bool first, bool second) {
    return admit(*condition.operands[0], first) && admit(*condition.operands[1], second);
  }

  bool admit_one(const Expr& condition, bool first, bool second) {
    Circumstances left = *this, right = *this;
    const bool may_left = left.admit(*condition.operands[0], first);
    const bool may_right = right.admit(*condition.operands[1], second);
    if (!may_left && !may_right) return refuse(condition);
    if (may_left != may_right) *this = may_left ? left : right;
    return true;
  }

  // The body of a quantifier has the same value in a turn.  `all`: in all turns, of which there may
  // be none.
  bool admit_turn(const Expr& condition, bool truth, bool all) {
    Circumstances inside = *this;
    if (inside.admit(*condition.operands[0], truth)) return true;
    if (all && condition.range.type == nullptr) return true;
    return refuse(*inside.obstacle_);
  }

  // The comparison of these operands is true.
  bool admit(const Expr& condition, Op comparison, std::size_t left, std::size_t right) {
    const Expr &a = *condition.operands[left], &b = *condition.operands[right];
    const auto rest = refined(comparison, {bounds(a, *this), may_be_undefined(a)},
                              {bounds(b, *this), may_be_undefined(b)});
    if (!rest) return refuse(condition);
    return learn(a, rest->first, condition) && learn(b, rest->second, condition);
  }

  // The value of an expression is one of these.
  bool learn(const Expr& expr, Interval values, const Expr& from) {
    const std::optional<Interval> left = both(bounds(expr, *this), values);
    if (!left) return refuse(from);
    if (expr.op != Op::slot && expr.op != Op::read) return true;
    const auto old =
        std::ranges::find_if(facts_, [&](const Fact& fact) { return alike(*fact.of, expr); });
    if (old != facts_.end())
      old->values = *left;
    else
      facts_.push_back({&expr, *left});
    return true;
  }

  bool refuse(const Expr& obstacle) {
    obstacle_ = &obstacle;
    return false;
  }

  const Frame* frame_;
  const std::vector<Function>* functions_;
  const std::vector<Parameter>* parameters_;
  std::vector<Fact> facts_;
  const Expr* obstacle_ = nullptr;
};

}  // namespace

const Expr* obstacle(const Expr& condition, bool truth, const Frame& frame,
                     const std::vector<Function>& functions,
                     const std::vector<Parameter>& parameters) {
  Circumstances circumstances(frame, functions, parameters);
  return circumstances.admit(condition, truth) ? nullptr : circumstances.obstacle();
}

}  // namespace spillway::program
