#include <gtest/gtest.h>

#include "ltl/automaton/translate.h"
#include "ltl/formula/evaluate.h"
#include "ltl/formula/simplify.h"
#include "ltl/reading/parse.h"

namespace spillway::ltl {
namespace {

ParsedFormula formula(std::string_view written) { return parse("test", written, {}); }

Automaton automaton(std::string_view written) {
  const ParsedFormula parsed = formula(written);
  return translate(parsed.formula, parsed.names());
}

TEST(Holds, OnWordsThatRepeat) {
  // a, then ab and nothing in turns
  const std::vector<Letter> letters = {1, 3, 0};
  const auto says = [&](std::string_view written) {
    // a is the first proposition, whatever the formula begins with.
    return holds(formula("(a | b | 1) & (" + std::string(written) + ")").formula, letters, 1);
  };
  EXPECT_TRUE(says("a & X b & X X !a & X X X b"));
  EXPECT_TRUE(says("G F b & G F !b"));
  EXPECT_FALSE(says("F G b"));
  EXPECT_TRUE(says("a U !a"));
  EXPECT_TRUE(says("a U b"));
  EXPECT_TRUE(says("b R a"));
  EXPECT_FALSE(says("b R (a & X a)"));
  EXPECT_FALSE(says("G a"));
  EXPECT_TRUE(says("b M a"));
  EXPECT_TRUE(says("X G (b xor X b)"));
  EXPECT_TRUE(says("1 W b"));
}

TEST(Holds, OnLongWords) {
  std::vector<Letter> letters(100'000, 1);
  letters[70'000] = 2;
  EXPECT_TRUE(holds(formula("G F (a & X b) & (a U b)").formula, letters, 60'000));
  EXPECT_FALSE(holds(formula("G F (a & X b) & (a U b)").formula, letters, 80'000));
}

struct Size {
  std::string_view formula;
  std::uint32_t states;
  unsigned sets;
  Strength strength;
};
class Sizes : public ::testing::TestWithParam<Size> {};

// As small as the best translators known make them.
TEST_P(Sizes, AreSmall) {
  const Automaton made = automaton(GetParam().formula);
  EXPECT_EQ(made.states(), GetParam().states);
  EXPECT_EQ(made.sets, GetParam().sets);
  EXPECT_EQ(strength(made), GetParam().strength);
}

INSTANTIATE_TEST_SUITE_P(
    Known, Sizes,
    ::testing::Values(
        Size{"true", 1, 0, Strength::terminal}, Size{"false", 1, 0, Strength::terminal},
        Size{"G p", 1, 0, Strength::weak}, Size{"F p", 2, 1, Strength::terminal},
        Size{"p U q", 2, 1, Strength::terminal}, Size{"G F p", 1, 1, Strength::strong},
        Size{"F G p", 2, 1, Strength::weak}, Size{"G F p & G F q", 1, 2, Strength::strong},
        Size{"G (p -> F q)", 2, 1, Strength::strong}, Size{"X X p", 4, 0, Strength::terminal},
        Size{"p R q", 2, 0, Strength::weak}, Size{"F (p & G q)", 2, 1, Strength::weak}));

TEST(Translation, GivesUpInTime) {
  std::string many = "F p0";
  for (int i = 1; i < 18; ++i) many += " & F (p" + std::to_string(i) + " & X p0)";
  EXPECT_THROW(automaton(many), Error);
}

TEST(Invariants, AreRecognized) {
  const auto invariant = [](std::string_view written) -> std::string {
    const ParsedFormula parsed = formula(written);
    const auto found = is_invariant(parsed.formula);
    return found ? text(*found, parsed.names()) : "none";
  };
  EXPECT_EQ(invariant("G p"), "p");
  EXPECT_EQ(invariant("!F !p"), "p");
  EXPECT_EQ(invariant("G (p -> q) & !F r"), "(p -> q) & !r");
  EXPECT_EQ(invariant("G G p"), "p");
  EXPECT_EQ(invariant("G X p"), "none");
  EXPECT_EQ(invariant("F p"), "none");
  EXPECT_EQ(invariant("G p | G q"), "none");
  EXPECT_EQ(invariant("!G p"), "none");
}

TEST(Simplification, Examples) {
  const auto simple = [](std::string_view written) {
    const ParsedFormula parsed = formula(written);
    return text(simplified(parsed.formula), parsed.names());
  };
  EXPECT_EQ(simple("!(p U !q)"), "!p R q");
  EXPECT_EQ(simple("F F p"), "F p");
  EXPECT_EQ(simple("G F G F p"), "G F p");
  EXPECT_EQ(simple("F p | F q"), "F (p | q)");
  EXPECT_EQ(simple("p & G p"), "G p");
  EXPECT_EQ(simple("p | F p"), "F p");
  EXPECT_EQ(simple("X G F p"), "G F p");
  EXPECT_EQ(simple("p U (q U p)"), "q U p");
  EXPECT_EQ(simple("p & !p"), "false");
  EXPECT_EQ(simple("G p -> F p"), "true");
}

}  // namespace
}  // namespace spillway::ltl
