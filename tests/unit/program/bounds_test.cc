// Bounds must hold for every value: code without checks depends on them.
#include "program/bounds.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "language/murphi/murphi.h"

namespace spillway::program {
namespace {

__extension__ using Wide = __int128;

constexpr Op kOps[] = {Op::negate,  Op::add,       Op::subtract,   Op::multiply,
                       Op::divide,  Op::remainder, Op::bit_and,    Op::bit_or,
                       Op::bit_xor, Op::bit_not,   Op::shift_left, Op::shift_right};

// What the operation gives, or nothing where it is an error.  Written for itself, with wide
// numbers.
std::optional<Wide> result(Op op, Value a, Value b) {
  switch (op) {
    case Op::negate: return -Wide{a};
    case Op::add: return Wide{a} + b;
    case Op::subtract: return Wide{a} - b;
    case Op::multiply: return Wide{a} * b;
    case Op::divide: return b == 0 ? std::nullopt : std::optional(Wide{a} / b);
    case Op::remainder: return b == 0 ? std::nullopt : std::optional(Wide{a} % b);
    case Op::bit_and: return Wide{a & b};
    case Op::bit_or: return Wide{a | b};
    case Op::bit_xor: return Wide{a ^ b};
    case Op::bit_not: return Wide{~a};
    case Op::shift_left:
    case Op::shift_right: {
      const Value by = op == Op::shift_left ? b : -b;
      if (by >= 64) return 0;
      if (by >= 0) return Wide{a} * (Wide{1} << by);
      return Wide{a >> (by < -63 ? 63 : -by)};
    }
    default: return std::nullopt;
  }
}

void expect_inside(Op op, Interval a, Interval b, Value x, Value y) {
  const std::optional<Wide> value = result(op, x, y);
  if (!value) return;
  const bool fits = *value > Wide{INT64_MIN} && *value <= Wide{INT64_MAX};
  const Result bounds = arithmetic_bounds(op, a, b);
  const auto shown = [&] {
    return testing::Message() << "operation " << static_cast<int>(op) << " of " << x << " and " << y
                              << " from " << a.low << ".." << a.high << " and " << b.low << ".."
                              << b.high;
  };
  if (bounds.fits) {
    EXPECT_TRUE(fits) << shown();
  }
  if (fits) {
    EXPECT_LE(Wide{bounds.bounds.low}, *value) << shown();
    EXPECT_GE(Wide{bounds.bounds.high}, *value) << shown();
  }
}

TEST(ArithmeticBounds, HoldForAllSmallIntervals) {
  for (const Op op : kOps)
    for (Value a = -4; a <= 4; ++a)
      for (Value b = a; b <= 5; ++b)
        for (Value c = -4; c <= 4; ++c)
          for (Value d = c; d <= 5; ++d)
            for (Value x = a; x <= b; ++x)
              for (Value y = c; y <= d; ++y) expect_inside(op, {a, b}, {c, d}, x, y);
}

TEST(ArithmeticBounds, HoldForLargeNumbers) {
  std::mt19937_64 random(3);
  const auto any = [&] {
    auto value = static_cast<Value>(random());
    if (random() % 2 == 0) value >>= random() % 64;
    if (random() % 8 == 0) value = random() % 2 == 0 ? INT64_MAX : INT64_MIN + 1;
    return value == INT64_MIN ? INT64_MIN + 1 : value;
  };
  const auto within = [&](Interval i) {
    switch (random() % 3) {
      case 0: return i.low;
      case 1: return i.high;
      default: break;
    }
    const std::uint64_t size =
        static_cast<std::uint64_t>(i.high) - static_cast<std::uint64_t>(i.low) + 1;
    return static_cast<Value>(static_cast<std::uint64_t>(i.low) +
                              (size == 0 ? random() : random() % size));
  };
  for (int n = 0; n < 300000; ++n) {
    const Value p = any(), q = any(), r = any(), s = any();
    const Interval a{std::min(p, q), std::max(p, q)};
    const Interval b{std::min(r, s), std::max(r, s)};
    expect_inside(kOps[random() % std::size(kOps)], a, b, within(a), within(b));
  }
}

TEST(ArithmeticBounds, AreNarrowWhereItMatters) {
  EXPECT_EQ(arithmetic_bounds(Op::add, {1, 2}, {10, 20}).bounds, (Interval{11, 22}));
  EXPECT_EQ(arithmetic_bounds(Op::subtract, {1, 2}, {10, 20}).bounds, (Interval{-19, -8}));
  EXPECT_EQ(arithmetic_bounds(Op::multiply, {-2, 3}, {-5, 7}).bounds, (Interval{-15, 21}));
  EXPECT_EQ(arithmetic_bounds(Op::remainder, {0, 100}, {4, 4}).bounds, (Interval{0, 3}));
  EXPECT_EQ(arithmetic_bounds(Op::negate, {-1, 5}, {0, 0}).bounds, (Interval{-5, 1}));
  EXPECT_FALSE(arithmetic_bounds(Op::add, {0, INT64_MAX}, {0, 1}).fits);
  EXPECT_TRUE(arithmetic_bounds(Op::add, {0, INT64_MAX - 1}, {0, 1}).fits);
  EXPECT_FALSE(arithmetic_bounds(Op::subtract, {INT64_MIN + 1, 0}, {0, 1}).fits);
}

TEST(Inside, AnIntervalIsInADomainOnlyIfItIsInOneOfItsIntervals) {
  const Domain domain({{0, 4}, {10, 12}});
  EXPECT_TRUE(inside({1, 3}, domain));
  EXPECT_TRUE(inside({10, 12}, domain));
  EXPECT_FALSE(inside({4, 10}, domain));
  EXPECT_FALSE(inside({0, 5}, domain));
}

// Bounds of the right side of the first statement of the first rule.
Interval right_side(const std::string& expression) {
  const std::string text =
      "type T: 3..9; P: scalarset(2); var x: T; y: -2..5; b: boolean; a: array [boolean] of 0..7; "
      "any: -1000..1000;\n"
      "    m: multiset [4] of T;\n"
      "function f(): T; begin return 4; end;\nrule var i: 0..1; begin any := " +
      expression + "; end";
  const MurphiModel model = read_murphi("some.m", text, {});
  const Rule& rule = model.program.rules.at(0);
  return bounds(*rule.body.at(0)->value, rule.header.frame, model.program.functions);
}

TEST(Bounds, OfExpressions) {
  EXPECT_EQ(right_side("x"), (Interval{3, 9}));
  EXPECT_EQ(right_side("f()"), (Interval{3, 9}));
  EXPECT_EQ(right_side("a[b]"), (Interval{0, 7}));
  EXPECT_EQ(right_side("x + y"), (Interval{1, 14}));
  EXPECT_EQ(right_side("x * y - 1"), (Interval{-19, 44}));
  EXPECT_EQ(right_side("b ? x : y"), (Interval{-2, 9}));
  EXPECT_EQ(right_side("-(x)"), (Interval{-9, -3}));
  EXPECT_EQ(right_side("multisetcount(k: m, m[k] = 4)"), (Interval{0, 4}));
  EXPECT_EQ(right_side("i"), (Interval{0, 1}));
}

bool holds(Op op, Value a, Value b) {
  switch (op) {
    case Op::equal: return a == b;
    case Op::unequal: return a != b;
    case Op::less: return a < b;
    default: return a <= b;
  }
}

std::vector<Interval> some_intervals(const std::vector<Value>& ends) {
  std::vector<Interval> all;
  for (const Value low : ends)
    for (const Value high : ends)
      if (low <= high) all.push_back({low, high});
  return all;
}

TEST(Refined, LeavesAllThatMakesAComparisonTrueAndNoMore) {
  for (const Op op : {Op::equal, Op::unequal, Op::less, Op::less_equal})
    for (const Interval a : some_intervals({-1, 0, 1, 2, 3}))
      for (const Interval b : some_intervals({-1, 0, 1, 2, 3})) {
        std::optional<std::pair<Interval, Interval>> expected;
        for (Value x = a.low; x <= a.high; ++x)
          for (Value y = b.low; y <= b.high; ++y) {
            if (!holds(op, x, y)) continue;
            if (!expected) expected = {{x, x}, {y, y}};
            expected->first = {std::min(expected->first.low, x), std::max(expected->first.high, x)};
            expected->second = {std::min(expected->second.low, y),
                                std::max(expected->second.high, y)};
          }
        EXPECT_EQ(refined(op, {a}, {b}), expected) << static_cast<int>(op) << ": " << a.low << ".."
                                                   << a.high << ", " << b.low << ".." << b.high;
      }
}

std::vector<Value> values_of(const Compared& operand) {
  std::vector<Value> all;
  for (Value value = operand.bounds.low; value <= operand.bounds.high; ++value)
    all.push_back(value);
  if (operand.may_be_undefined) all.push_back(kUndefined);
  return all;
}

TEST(Refined, LeavesWhatMakesAComparisonOfUndefinedValuesTrue) {
  const auto all = some_intervals({-1, 0, 1, 2});
  const auto kept = [](Interval bounds, Value value) {
    return value == kUndefined || inside({value, value}, bounds);
  };
  for (const Op op : {Op::equal, Op::unequal})
    for (const bool left_may : {false, true})
      for (const bool right_may : {false, true})
        for (const Interval left : all)
          for (const Interval right : all) {
            const Compared a{left, left_may}, b{right, right_may};
            const auto rest = refined(op, a, b);
            bool possible = false;
            for (const Value x : values_of(a))
              for (const Value y : values_of(b)) {
                if (!holds(op, x, y)) continue;
                possible = true;
                EXPECT_TRUE(rest && kept(rest->first, x) && kept(rest->second, y));
              }
            EXPECT_EQ(rest.has_value(), possible);
          }
}

TEST(Refined, KnowsTheGreatestNumbers) {
  const auto [low, high] = kAnyNumber;
  EXPECT_EQ(refined(Op::less, {high, high}, {kAnyNumber}), std::nullopt);
  EXPECT_EQ(refined(Op::less, {kAnyNumber}, {low, low}), std::nullopt);
  EXPECT_EQ(refined(Op::unequal, {high, high}, {high, high}), std::nullopt);
  EXPECT_EQ(refined(Op::less_equal, {high, high}, {kAnyNumber}),
            std::pair(Interval{high, high}, Interval{high, high}));
}

}  // namespace
}  // namespace spillway::program
