#include "ltl/exchange/hoa.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "base/text/diagnostic.h"
#include "folders.h"
#include "ltl/automaton/dot.h"
#include "ltl/automaton/translate.h"
#include "ltl/exchange/never_claim.h"
#include "ltl/reading/parse.h"

namespace spillway::ltl {
namespace {

std::string refusal(const std::string& text) {
  try {
    read_hoa("x.hoa", text);
  } catch (const DiagnosedError& error) {
    return error.what();
  }
  return "read";
}

// An automaton of one state with these headers and transitions.
std::string small(const std::string& acceptance, const std::string& body,
                  const std::string& headers = "") {
  return "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"a\" \"b\"\n" + headers +
         "Acceptance: " + acceptance + "\n--BODY--\nState: 0\n" + body + "\nState: 1\n--END--\n";
}

std::vector<Transition> transitions(const std::string& text) {
  return read_hoa("x.hoa", text).transitions.at(0);
}

TEST(Hoa, WhatIsWrittenIsReadAgain) {
  for (const std::string_view written : {"G (p -> F q)", "G F p & G F {x = \"1\"}", "false", "true",
                                         "X X (p xor q)", "F G p | G F q"}) {
    const ParsedFormula parsed = parse("test", written, {});
    const Automaton made = translate(parsed.formula, parsed.names());
    const Automaton again = read_hoa("again", hoa(made, written));
    EXPECT_EQ(again.propositions, made.propositions);
    EXPECT_EQ(again.sets, made.sets);
    EXPECT_EQ(again.initial, made.initial);
    EXPECT_EQ(again.transitions, made.transitions);
  }
}

TEST(Hoa, LabelsBecomeConjunctions) {
  EXPECT_EQ(transitions(small("0 t", "[0 | !1] 1")),
            (std::vector<Transition>{{{1, 0}, 0, 1}, {{0, 2}, 0, 1}}));
  EXPECT_EQ(transitions(small("0 t", "[!(0 | !1)] 1")), (std::vector<Transition>{{{2, 1}, 0, 1}}));
  EXPECT_EQ(transitions(small("0 t", "[f] 1")).size(), 0U);
  EXPECT_EQ(transitions(small("0 t", "[@x & 1] 1", "Alias: @x !0\n")),
            (std::vector<Transition>{{{2, 1}, 0, 1}}));
}

TEST(Hoa, EdgesWithoutLabelsHaveThoseOfTheirPlace) {
  const auto found = transitions(small("0 t", "0 1 0 1"));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1], (Transition{{1, 2}, 0, 1}));
  EXPECT_EQ(found[3], (Transition{{3, 0}, 0, 1}));
  EXPECT_EQ(refusal(small("0 t", "0 1 0")),
            "x.hoa:7:1: the state has 3 edges without labels; with 2 propositions there must be 4");
}

TEST(Hoa, ConditionsBecomeSets) {
  const auto marks = [](const std::string& acceptance, const std::string& edge) {
    return transitions(small(acceptance, "[t] 1 " + edge)).at(0).marks;
  };
  EXPECT_EQ(marks("2 Inf(0)&Inf(1)", "{1}"), 2U);
  EXPECT_EQ(marks("2 Inf(0)|Inf(1)", "{1}"), 1U);
  EXPECT_EQ(marks("1 Inf(!0)", "{0}"), 0U);
  EXPECT_EQ(marks("1 Inf(!0)", ""), 1U);
  EXPECT_EQ(read_hoa("x", small("0 f", "[t] 0")).sets, 1U);
  EXPECT_EQ(read_hoa("x", small("3 Inf(0)&(Inf(1)|Inf(2))", "[t] 0")).sets, 2U);
}

TEST(Hoa, MarksOfStatesAreThoseOfTheirEdges) {
  const Automaton read = read_hoa("x",
                                  "HOA: v1 Start: 0 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY--\n"
                                  "State: 0 \"first\" {0} [t] 1 State: [0] 1 0 --END--");
  EXPECT_EQ(read.transitions[0][0].marks, 1U);
  EXPECT_EQ(read.transitions[1][0].marks, 0U);
  EXPECT_EQ(read.transitions[1][0].label, (Label{1, 0}));
}

TEST(Hoa, RefusalsHaveReasons) {
  EXPECT_EQ(refusal("digraph"), "x.hoa:1:1: an automaton begins with 'HOA: v1'");
  EXPECT_NE(refusal(small("1 Fin(0)", "[t] 0")).find("Fin are not supported"), std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[t] 0&1")).find("alternation"), std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[2] 0")).find("there is no proposition 2"), std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[t] 2")).find("there is no state 2"), std::string::npos);
  EXPECT_NE(refusal(small("1 Inf(0)", "[t] 0 {1}")).find("there is no set 1"), std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[t] 0", "Starts: 1\n")).find("did you mean 'Start:'"),
            std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[t] 0") + small("0 t", "[t] 0")).find("second automaton"),
            std::string::npos);
  EXPECT_NE(refusal(small("0 t", "[t] 0 State: 0")).find("described twice"), std::string::npos);
  EXPECT_NE(refusal("HOA: v1 Alias: @x 3 AP: 1 \"a\" Acceptance: 0 t --BODY-- --END--")
                .find("there is no proposition 3"),
            std::string::npos);
  EXPECT_NE(refusal("HOA: v2 ").find("only v1 and v1.1"), std::string::npos);
  EXPECT_NE(refusal("HOA: v1 /* /* */").find("no end"), std::string::npos);
}

// 522 automata from the tests of another tool, of which almost half are of kinds that we refuse.
TEST(Hoa, AutomataOfOtherToolsAreReadOrRefused) {
  const char* given = std::getenv("SPILLWAY_SHARED");
  const std::string shared = given != nullptr ? given : source_file("../shared");
  std::ifstream file(shared + "/models/ltl/hoa/spot-tests.hoa");
  if (!file) {
    GTEST_SKIP() << "the samples are not there; SPILLWAY_SHARED says where they are";
  }
  std::stringstream content;
  content << file.rdbuf();
  const std::string text = content.str();
  std::map<std::string, int> reasons;
  int read = 0, all = 0;
  for (std::size_t at = text.find("HOA:"); at != std::string::npos; ++all) {
    std::size_t next = text.find("\nHOA:", at + 1);
    // What stands between two automata is a remark about where the next one is from.
    std::string one = text.substr(at, next == std::string::npos ? next : next - at);
    const std::size_t end = one.find("--END--");
    if (end != std::string::npos) one.resize(end + 7);
    at = next == std::string::npos ? next : next + 1;
    try {
      const Automaton automaton = read_hoa("sample", one);
      const Automaton again = read_hoa("again", hoa(automaton, ""));
      ASSERT_EQ(again.transitions, automaton.transitions) << one;
      ASSERT_EQ(again.sets, automaton.sets);
      ++read;
    } catch (const DiagnosedError& error) {
      ++reasons[error.diagnostics().at(0).message];
    }
  }
  for (const auto& [reason, count] : reasons) std::cout << count << "  " << reason << "\n";
  std::cout << read << " of " << all << " are read\n";
  EXPECT_EQ(all, 522);
  EXPECT_GE(read, 280);
}

TEST(Dot, ShowsStatesAndMarks) {
  const ParsedFormula parsed = parse("test", "G F p", {});
  const std::string picture = dot(translate(parsed.formula, parsed.names()), "G F p");
  EXPECT_NE(picture.find("0 -> 0 [label=\"p {0}\"]"), std::string::npos) << picture;
  EXPECT_TRUE(picture.starts_with("digraph {\n"));
}

TEST(NeverClaim, IsWhatSpinReads) {
  const ParsedFormula parsed = parse("test", "F (p & G x = 1)", {});
  EXPECT_EQ(never_claim(translate(parsed.formula, parsed.names()), "name */"),
            "#define p1 (x = 1)\n"
            "never { /* name * / */\n"
            "T0_S0:\n"
            "  do\n"
            "  :: (true) -> goto T0_S0\n"
            "  :: (p && p1) -> goto accept_S1\n"
            "  od;\n"
            "accept_S1:\n"
            "  do\n"
            "  :: (p1) -> goto accept_S1\n"
            "  od;\n"
            "}\n");
}

}  // namespace
}  // namespace spillway::ltl
