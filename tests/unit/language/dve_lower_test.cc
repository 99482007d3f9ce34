// Programs that DVE models become.
#include <gtest/gtest.h>

#include <algorithm>

#include "language/dve/dve.h"
#include "program/interpreter.h"

namespace spillway {
namespace {

using program::Op;

ReadProgram read(std::string_view text, DveErrors errors = DveErrors::report) {
  return read_dve("some.dve", text,
                  {.errors = errors, .property = DveProperty::product, .narrow = false});
}

std::vector<std::string> variables(const ReadProgram& model) {
  std::vector<std::string> names;
  for (const program::Variable& variable : model.program.variables) names.push_back(variable.name);
  return names;
}

std::vector<std::string> rules(const ReadProgram& model) {
  std::vector<std::string> names;
  for (const program::Rule& rule : model.program.rules) names.push_back(rule.header.name);
  return names;
}

bool warns(const ReadProgram& model, std::string_view text) {
  return std::any_of(model.warnings.begin(), model.warnings.end(), [&](const Warning& warning) {
    return warning.text.find(text) != std::string::npos;
  });
}

constexpr const char* kPair =
    "byte g; channel c; process P { byte v; state b, a; init a; trans a -> b { guard v > 0; sync "
    "c!v + 1; }, "
    "b -> a {}; }\n"
    "process Q { int w; state x, y; init x; trans x -> y { guard w; sync c?g; effect w = 1; }, y "
    "-> x {}; }\n"
    "system async;";

TEST(DveProgram, VariablesStandBehindTheLocalStateOfTheirProcess) {
  const ReadProgram model = read(kPair);
  EXPECT_EQ(variables(model), (std::vector<std::string>{"g", "P", "P.v", "Q", "Q.w"}));
  const auto& all = model.program.variables;
  EXPECT_EQ(all[0].type->domain.intervals(), (std::vector<program::Interval>{{0, 255}}));
  EXPECT_EQ(all[1].type->text(1), "a");
  EXPECT_EQ(all[4].type->domain.intervals(), (std::vector<program::Interval>{{-32768, 32767}}));
  for (const program::Variable& variable : all) EXPECT_TRUE(variable.type->total);
  EXPECT_EQ(model.program.deadlock, program::DeadlockRule::stuck);
  EXPECT_FALSE(model.program.accepting);
  EXPECT_FALSE(model.program.failure_state);
}

TEST(DveProgram, RulesAreOrderedByTheStateOfTheirProcess) {
  const ReadProgram model = read(kPair);
  EXPECT_EQ(rules(model),
            (std::vector<std::string>{"P: b -> a", "P ! Q: a -> b, x -> y on c", "Q: y -> x"}));
  EXPECT_EQ(model.program.rules[1].header.position.line, 1u);
}

TEST(DveProgram, TheFirstConditionOfAGuardIsTheLocalState) {
  const ReadProgram model = read(kPair);
  for (const program::Rule& rule : model.program.rules) {
    const program::Expr* first = rule.guard.get();
    if (first->op == Op::logical_and) first = first->operands[0].get();
    ASSERT_EQ(first->op, Op::equal);
    EXPECT_EQ(first->operands[0]->op, Op::read);
    EXPECT_TRUE(first->operands[0]->place->steps.empty());
    EXPECT_EQ(first->operands[1]->op, Op::literal);
  }
}

TEST(DveProgram, ConstantsAreNoPartOfTheState) {
  const ReadProgram model = read(
      "const byte N = 2, T[4] = {N, N + 5}; int x[3] = {-N, 7}; byte y = N;\n"
      "process P { const int M = -1; state a; init a; trans a -> a { guard T[1] == 7 and T[3] == 0 "
      "and x[y] == M; },\n"
      "a -> a { guard T[y] == N; }; } system async;");
  EXPECT_EQ(variables(model), (std::vector<std::string>{"x", "y", "P"}));
  EXPECT_EQ(model.program.functions.size(), 1u);
}

TEST(DveProgram, StoresAreCutOnlyWhereItMatters) {
  const char* text =
      "byte x; int y; process P { state a; init a; trans a -> a { effect x = x + 1, x = x % 7, y = "
      "x, y = y - 1; }; }\n"
      "system async;";
  const auto op = [&](const ReadProgram& model, std::size_t i) {
    return model.program.rules[0].body[i]->value->op;
  };
  const ReadProgram wrapped = read(text, DveErrors::wrap);
  EXPECT_EQ(op(wrapped, 0), Op::bit_and);
  EXPECT_EQ(op(wrapped, 1), Op::remainder);
  EXPECT_EQ(op(wrapped, 2), Op::read);
  EXPECT_EQ(op(wrapped, 3), Op::add);
  const ReadProgram reported = read(text);
  EXPECT_EQ(op(reported, 0), Op::add);
  EXPECT_EQ(op(reported, 3), Op::subtract);
}

TEST(DveProgram, TheStateOfErrorsIsAStateThatTheFirstProcessDoesNotHave) {
  const ReadProgram model = read(kPair, DveErrors::legacy);
  ASSERT_TRUE(model.program.failure_state);
  EXPECT_EQ(model.program.variables[1].type->domain.highest(), 2);
  EXPECT_EQ(model.program.variables[1].type->text(2), "error");
  EXPECT_EQ(model.program.variables[3].type->domain.highest(), 1);
  EXPECT_EQ(model.program.failure_state->body.size(), model.program.variables.size());
}

TEST(DveProgram, AssertionsAreInvariants) {
  const ReadProgram model = read(
      "process P { byte x; state a, b; init a;\nassert a: x < 3,\n b: x; trans a -> b {}; } system "
      "async;");
  ASSERT_EQ(model.program.properties.size(), 2u);
  EXPECT_EQ(model.program.properties[0].header.name, "assert in P, state a, line 2");
  EXPECT_EQ(model.program.properties[1].header.name, "assert in P, state b, line 3");
  EXPECT_EQ(model.program.properties[1].condition->op, Op::implies);
}

TEST(DveProgram, EachRuleGoesWithEachTransitionOfTheProperty) {
  const char* text =
      "process P { state a, b; init a; trans a -> b {}, b -> a {}; }\n"
      "process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard P.a; }, r -> r "
      "{}; }\n"
      "system async property L;";
  const ReadProgram model = read(text);
  EXPECT_EQ(rules(model), (std::vector<std::string>{"P: a -> b", "P: b -> a", "L alone"}));
  // the first one is the initial state
  EXPECT_EQ(program::Instances(model.program).name(2), "P: a -> b, L:q -> r");
  EXPECT_EQ(rules(read(text, DveErrors::legacy)),
            (std::vector<std::string>{"P: a -> b | L: q -> q", "P: a -> b | L: q -> r",
                                      "P: a -> b | L: r -> r", "P: b -> a | L: q -> q",
                                      "P: b -> a | L: q -> r", "P: b -> a | L: r -> r", "L: q -> q",
                                      "L: q -> r", "L: r -> r"}));
  ASSERT_TRUE(model.program.accepting);
  EXPECT_EQ(model.program.accepting->condition->op, Op::equal);
}

TEST(DveWarnings, WhatIsHardlyMeant) {
  const ReadProgram model = read(
      "byte unused, written, fixed, arr[2] = {1, 2, 3}; const int K = 1; channel lonely, quiet, "
      "c;\n"
      "process P { state a, b, z; init a; accept a;\n"
      "trans a -> b { guard 0; effect written = 256; }, b -> a { sync lonely!fixed; }, b -> a { "
      "sync c!arr[5]; }; }\n"
      "process Q { byte r; state a; init a; trans a -> a { sync c?r; effect r = r + r; }; } system "
      "async;");
  EXPECT_TRUE(warns(model, "the variable 'unused' is never used"));
  EXPECT_TRUE(warns(model, "the variable 'written' is written but never read"));
  EXPECT_TRUE(warns(model, "the variable 'fixed' never changes"));
  EXPECT_TRUE(warns(model, "the constant 'K' is never used"));
  EXPECT_TRUE(warns(model, "'arr' has 2 elements: the values from here on are ignored"));
  EXPECT_TRUE(warns(model, "nobody receives on the channel 'lonely'"));
  EXPECT_TRUE(warns(model, "nobody sends or receives on the channel 'quiet'"));
  EXPECT_TRUE(warns(model, "no transition of 'P' leads to its state 'z'"));
  EXPECT_TRUE(warns(model, "this transition can never be taken"));
  EXPECT_TRUE(warns(model, "256 does not fit 'written'"));
  EXPECT_TRUE(warns(model, "index 5 is out of range"));
  EXPECT_TRUE(warns(model, "'P' is not the property process"));
  EXPECT_FALSE(warns(model, "'c'"));
  EXPECT_FALSE(warns(model, "'r'"));
}

}  // namespace
}  // namespace spillway
