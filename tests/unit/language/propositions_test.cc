// Propositions of formulas: what they mean, and what is said about errors in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "language/dve/dve.h"
#include "language/murphi/murphi.h"
#include "program/interpreter.h"
#include "program/symmetry/asymmetries.h"
#include "unit/caught.h"

namespace spillway {
namespace {

constexpr const char* kMurphi =
    "const N: 3; type E: enum {waiting, critical}; S: scalarset(2);\n"
    "var x: 0..9; b: boolean; e: E; s: array [S] of E; a: array [0..N] of 0..9;\n"
    "function low(n: 0..9): boolean; begin return n < N; end;\n"
    "function writes(): boolean; begin x := 1; return b; end;\n"
    "function first(): E; begin for i: S do return s[i]; end; end;\n"
    "function cuts(): boolean; begin assume b; return b; end;\n"
    "startstate x := 2; b := true; e := critical; for i: S do s[i] := waiting; end; a[1] := 7; "
    "end\n"
    "rule x < 5 ==> x := x + 1; end\n";

constexpr const char* kDve =
    "byte c = 3; byte tape[3] = {4, 5, 6}; const byte K = 7;\n"
    "process P_0 { int x = 2; byte y[2] = {8, 9}; state NCS, CS; init CS; trans CS -> NCS {}; }\n"
    "process P_1 { byte t = 9; state s, t; init s; trans s -> t { guard P_0.CS; }, t -> s {}; }\n"
    "process LTL { state q; init q; trans q -> q {}; accept q; }\n"
    "system async property LTL;\n";

ReadProgram murphi(const std::vector<PropositionText>& propositions) {
  MurphiOptions options;
  options.propositions = propositions;
  return read_murphi("some.m", kMurphi, options);
}
ReadProgram dve(const std::vector<PropositionText>& propositions) {
  DveOptions options;
  options.propositions = propositions;
  return read_dve("some.dve", kDve, options);
}

struct Held {
  Letter letter = 0;
  std::string failure;
  std::size_t failed = 0;
};

Held in_first_state(const program::Program& program) {
  program::Interpreter interpreter(program);
  std::vector<Word> first;
  interpreter.initial([&](const Word* row, program::InstanceIndex) {
    first.assign(row, row + interpreter.layout().words());
  });
  std::optional<program::Interpreter::FailedProposition> failed;
  Held held;
  held.letter = interpreter.letter(first, failed);
  if (failed) held.failure = failed->failed.what, held.failed = failed->proposition;
  return held;
}

PropositionText plain(std::string text) { return {std::move(text), "--ltl"}; }

Held held_in_murphi(std::vector<std::string> texts) {
  std::vector<PropositionText> all;
  for (std::string& text : texts) all.push_back(plain(std::move(text)));
  return in_first_state(murphi(all).program);
}
Held held_in_dve(std::vector<std::string> texts) {
  std::vector<PropositionText> all;
  for (std::string& text : texts) all.push_back(plain(std::move(text)));
  return in_first_state(dve(all).program);
}

TEST(MurphiPropositions, AreBooleanExpressionsInTheGlobalScope) {
  EXPECT_EQ(held_in_murphi({"x = 2", "x = N", "b", "!b", "e = critical", "low(x)", "a[x - 1] = 7",
                            "forall i: S do s[i] = waiting end", "exists i: S do s[i] != e end",
                            "forall i: 0..N do i = 1 -> a[i] = 7 end", "isundefined(a[0])",
                            "x > 1 & (b | false)", "(x = 3 ? b : e = waiting)"})
                .letter,
            0b0'1111'1111'0101U);
}

TEST(MurphiPropositions, ThatCannotBeEvaluatedSayWhy) {
  const Held held = held_in_murphi({"b", "a[0] = 1", "x = 2", "a[x + 5] = 1"});
  EXPECT_EQ(held.letter, 0b101U);
  EXPECT_EQ(held.failed, 1U);
  EXPECT_EQ(held.failure, "a[0] is undefined");
  EXPECT_EQ(held_in_murphi({"a[x + 5] = 1"}).failure, "index 7 is out of range");
}

TEST(DvePropositions, AreAboutStatesAndVariables) {
  EXPECT_EQ(held_in_dve({"P_0.CS", "P_0.NCS", "c == 3", "c", "tape[1] == 5", "P_0->x == 2",
                         "P_0.x == 2", "P_0->y[1] == 9", "P_0.y[1] == 9", "K > c and not P_1.t",
                         "P_1.t or tape[c - 1] == 4", "P_1.t imply false"})
                .letter,
            0b1011'1111'1101U);
}

TEST(DvePropositions, ThatCannotBeEvaluatedSayWhy) {
  EXPECT_EQ(held_in_dve({"tape[c] == 5"}).failure, "index 3 is out of range");
}

TEST(DvePropositions, BelongToTheSystemWithoutItsPropertyProcess) {
  const program::Program system = dve({plain("P_0.CS")}).program;
  ASSERT_EQ(system.propositions.size(), 1U);
  EXPECT_FALSE(system.accepting);
  EXPECT_EQ(system.name, "some.dve");
  EXPECT_EQ(system.text, kDve);
  DveOptions options;
  options.property = DveProperty::product;
  options.propositions = {plain("LTL.q")};
  EXPECT_EQ(in_first_state(read_dve("some.dve", kDve, options).program).letter, 1U);
}

TEST(DveRules, KnowTheirProcesses) {
  const program::Program p = dve({}).program;
  ASSERT_EQ(p.rules.size(), 3U);
  EXPECT_EQ(p.processes, (std::vector<std::string>{"P_0", "P_1"}));
  EXPECT_EQ(p.rules[0].processes, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(p.rules[2].processes, (std::vector<std::uint32_t>{1}));
  const program::Program pair =
      read_dve("pair.dve",
               "channel c; process A { state a, b; init a; trans a -> b { sync c!; }; }\n"
               "process B { state a, b; init a; trans a -> b { sync c?; }; } system async;",
               {})
          .program;
  ASSERT_EQ(pair.rules.size(), 1U);
  EXPECT_EQ(pair.rules[0].processes, (std::vector<std::uint32_t>{0, 1}));
}

struct Wrong {
  const char* text;
  std::size_t column;
  const char* why;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.text; }

// In a file of formulas, at line 3, after these words.
constexpr const char* kBefore = "live: G (b -> F ";
PropositionText in_file(std::string text) {
  const std::string whole = fmt::format("# formulas\n\n{}{})\nnext: X b\n", kBefore, text);
  return {std::move(text), "some.ltl", 3, 17, whole};
}

// The sentence, and the caret below the place of the formula.
std::string expected(const Wrong& wrong) {
  return fmt::format("some.ltl:3:{}: error: {}\n  {}{})\n", wrong.column + 16, wrong.why, kBefore,
                     wrong.text);
}

template <class Read>
void expect_refused(const Wrong& wrong, Read read) {
  try {
    read({in_file(wrong.text)});
    FAIL() << "it was accepted";
  } catch (const DiagnosedError& error) {
    const std::string text = error.diagnostics().front().text();
    EXPECT_TRUE(text.starts_with(expected(wrong))) << text;
    const std::size_t caret = text.find('^');
    ASSERT_NE(caret, std::string::npos);
    EXPECT_EQ(caret - text.rfind('\n', caret), wrong.column + 16 + 2);
  }
}

class MurphiPropositionError : public testing::TestWithParam<Wrong> {};
INSTANTIATE_TEST_SUITE_P(
    Of, MurphiPropositionError,
    testing::Values(
        Wrong{"e = critcal", 5, "'critcal' is not declared; did you mean 'critical'?"},
        Wrong{"x + 1", 3, "a proposition must be a boolean, but this is a number"},
        Wrong{"e", 1, "a proposition must be a boolean, but this is a value of type 'E'"},
        Wrong{"x := 1", 3, "use '=' to compare; ':=' assigns"},
        Wrong{"x =", 4, "expected an expression, found the end of the expression"},
        Wrong{"x = 1 x", 7, "expected an operator or the end of the expression, found 'x'"},
        Wrong{"writes()", 1, "'writes' changes the state; guards and properties must not"},
        Wrong{
            "b & cuts()", 5,
            "'cuts' can leave out the transition ('assume'), but properties and propositions have "
            "none; call a function without 'assume' here"},
        Wrong{"s[1] = waiting", 3,
              "the index must be a value of type 'S', but this is a number; a scalarset has no "
              "particular values, so use 'exists i: S do ... end' or 'forall'"},
        Wrong{"forall i: scalarset(2) do b end", 1, "a proposition cannot declare a scalarset"},
        Wrong{"x = $", 5, "unexpected character '$'"}));
TEST_P(MurphiPropositionError, IsShownInTheFormula) { expect_refused(GetParam(), murphi); }

class DvePropositionError : public testing::TestWithParam<Wrong> {};
INSTANTIATE_TEST_SUITE_P(
    Of, DvePropositionError,
    testing::Values(
        Wrong{"P_0.CCS", 5, "the process 'P_0' has no state or variable 'CCS'; did you mean 'CS'?"},
        Wrong{"P_2.CS", 1, "there is no process 'P_2'; did you mean 'P_0'?"},
        Wrong{"P_0->z", 6, "the process 'P_0' has no variable 'z'"},
        Wrong{"P_0.CS[1]", 5, "the process 'P_0' has no variable 'CS'"},
        Wrong{"tapes[1] == 5", 1, "'tapes' is not declared; did you mean 'tape'?"},
        Wrong{"c = 3", 3, "use '==' to compare; '=' assigns"},
        Wrong{"c == 3 P_0", 8, "expected an operator or the end of the expression, found 'P_0'"},
        Wrong{"LTL.q", 1,
              "'LTL' is the property process; a proposition is about the system without it"},
        Wrong{"c == ", 6, "expected an expression, found the end of the expression"}));
TEST_P(DvePropositionError, IsShownInTheFormula) { expect_refused(GetParam(), dve); }

TEST(PropositionTexts, AreWhereTheySay) {
  const auto error = caught([] { murphi({{"x = 1", "--ltl", 1, 2, "Gx = 2"}}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(std::string(error->what()),
            "--ltl: the proposition 'x = 1' is not at line 1, column 2");
}

TEST(PropositionTexts, InTheWholeCountLinesLikeTheModel) {
  const PropositionText text{"c", "f.ltl", 3, 2, "a\r\nb\r c\n"};
  EXPECT_EQ(text.offset(), 6U);
}

TEST(PropositionSymmetry, IsDecidedForEachProposition) {
  const program::Program p =
      murphi({plain("forall i: S do s[i] = waiting end"), plain("first() = waiting"),
              plain("exists i: S do exists j: S do i != j & s[i] = s[j] end end")})
          .program;
  ASSERT_EQ(p.symmetries.size(), 1U);
  EXPECT_FALSE(asymmetry(p, p.propositions[0]));
  EXPECT_TRUE(asymmetry(p, p.propositions[1]));
  EXPECT_FALSE(asymmetry(p, p.propositions[2]));
}

}  // namespace
}  // namespace spillway
