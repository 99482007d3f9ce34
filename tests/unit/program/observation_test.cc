#include "program/observation.h"

#include <gtest/gtest.h>

#include "language/murphi/murphi.h"

namespace spillway::program {
namespace {

struct Observing {
  explicit Observing(std::string_view text) : model(read_murphi("some.m", text, {})) {}
  MurphiModel model;
  Observation observation = observe(model.program);

  const Observation::NamedValue& value(std::string_view name) const {
    for (const Observation::NamedValue& value : observation.values)
      if (value.name == name) return value;
    throw std::runtime_error("no such value");
  }
};

constexpr const char* kStart =
    "type E: enum {a, b, c}; var e, f: E; startstate e := a; f := a; end;\n";

TEST(Observation, CountsStartsRulesAndAssumptions) {
  const Observing some(
      "var x: 0..3; startstate x := 0; end; rule \"r\" assume x < 2; end; rule x := 1; end;\n"
      "assume \"first\" x < 3; invariant x = 1 -> x = 1;");
  EXPECT_EQ(some.observation.rules, 3U);
  ASSERT_EQ(some.observation.assumptions.size(), 2U);
  EXPECT_EQ(some.observation.assumptions[0].name, "first") << "properties come before statements";
  EXPECT_EQ(some.observation.assumptions[1].name, "assumption at line 1");
  EXPECT_EQ(some.model.program.counters, 8U);
  EXPECT_EQ(some.model.program.marks, 1U);
  EXPECT_EQ(some.model.program.rules[0].body[0]->counter, some.observation.cut_by(1));
}

TEST(Observation, WhatARuleAlwaysAssignsNeedsNoMark) {
  const Observing some(std::string(kStart) +
                       "rule e := b; if f = a then e := c; end; f := b; end;");
  EXPECT_EQ(some.value("a").rules, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(some.value("b").rules, (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(some.value("c").rules.empty());
  const Body& body = some.model.program.rules[0].body;
  EXPECT_TRUE(body[0]->marks.empty());
  EXPECT_EQ(body[1]->branches[0].body[0]->marks,
            (std::vector<std::uint32_t>{some.value("c").mark}));
}

TEST(Observation, BehindATurnoffNothingIsCertain) {
  for (const char* turnoff : {"assume e = a;", "if e = a then return; end;", "p();"}) {
    const Observing some(std::string(kStart) + "procedure p(); begin assume f = a; end;\n" +
                         "rule f := c; " + turnoff + " e := b; end;");
    EXPECT_EQ(some.value("c").rules, (std::vector<std::uint32_t>{1})) << turnoff;
    EXPECT_TRUE(some.value("b").rules.empty()) << turnoff;
    EXPECT_EQ(some.model.program.rules[0].body[2]->marks,
              (std::vector<std::uint32_t>{some.value("b").mark}))
        << turnoff;
  }
}

TEST(Observation, BehindAGuardThatDiscardsNothingIsCertain) {
  for (const char* rule : {"rule p() ==>", "alias q: p() do rule q ==>"}) {
    const Observing some(std::string(kStart) +
                         "function p(): boolean; begin assume f = a; return true; end;\n" + rule +
                         " e := b; end;" + (rule[0] == 'a' ? " end;" : ""));
    EXPECT_TRUE(some.value("b").rules.empty()) << rule;
    EXPECT_EQ(some.model.program.rules[0].body[0]->marks,
              (std::vector<std::uint32_t>{some.value("b").mark}))
        << rule;
  }
}

TEST(Observation, OnlyWhatIsNotInTheStateYetIsLookedAt) {
  const Observing some(std::string(kStart) +
                       "ruleset v: E do rule e := f; e := v; e := f = a ? b : c; end; end;");
  const Body& body = some.model.program.rules[0].body;
  EXPECT_FALSE(body[0]->marks_value);
  EXPECT_TRUE(body[1]->marks_value);
  EXPECT_TRUE(body[2]->marks_value);
}

TEST(Observation, EnumerationsThatNoVariableHasAreLeftOut) {
  const Observing some(
      "type I: enum {i, j}; E: enum {a, b}; S: scalarset(2); var x: array [I] of E; s: S;\n"
      "startstate clear x; end;");
  ASSERT_EQ(some.observation.values.size(), 2U);
  EXPECT_EQ(some.observation.values[0].name, "a");
  EXPECT_EQ(some.observation.values[0].type, "E");
  EXPECT_EQ(some.observation.values[0].rules, (std::vector<std::uint32_t>{0}));
  EXPECT_TRUE(some.observation.values[1].rules.empty());
  const Observing local(
      "type E: enum {a, b}; var x: boolean;\n"
      "startstate x := true; end; rule var e: E; begin e := x ? a : b; x := e = a; end;");
  EXPECT_TRUE(local.observation.values.empty());
  EXPECT_FALSE(local.model.program.rules[0].body[0]->marks_value) << "there is no mark to set";
}

}  // namespace
}  // namespace spillway::program
