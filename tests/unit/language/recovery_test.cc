// Several errors in one reading, and none that follow from others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/text/read_file.h"
#include "cases.h"
#include "folders.h"
#include "language/dve/dve.h"
#include "language/murphi/murphi.h"
#include "language/source.h"

namespace spillway {
namespace {

// "line: message" of each error; empty if the text is a model.
template <class Read>
std::vector<std::string> errors(Read read) {
  std::vector<std::string> all;
  try {
    read();
  } catch (const DiagnosedError& error) {
    for (const Diagnostic& one : error.diagnostics())
      all.push_back(fmt::format("{}: {}", one.where.at.line, one.message));
  }
  return all;
}
std::vector<std::string> murphi_errors(std::string_view text) {
  return errors([&] { read_murphi("some.m", text, {}); });
}
std::vector<std::string> dve_errors(std::string_view text) {
  return errors([&] { read_dve("some.dve", text, {}); });
}
using Lines = std::vector<std::string>;

TEST(Recovery, ANameIsReportedOnce) {
  EXPECT_EQ(murphi_errors("var x: 0..3;\nstartstate x := y; end;\nrule y < 2 ==> y := x; end;"),
            (Lines{"2: 'y' is not declared"}));
}

TEST(Recovery, AWrongDeclarationSpoilsNothingElse) {
  EXPECT_EQ(murphi_errors("var x: 0..;\n y: 0..3;\nrule x := y; end;\nrule y := true; end;"),
            (Lines{"1: expected an expression, found ';'",
                   "4: the left side is a number, but this is a boolean"}));
  EXPECT_EQ(murphi_errors("function f(i 0..1): boolean; begin return i = 0; end;\n"
                          "var b: boolean;\nrule b := f(1); end;\nrule b := 2; end;"),
            (Lines{"1: expected ':', found the number 0",
                   "4: the left side is a boolean, but this is a number"}));
  EXPECT_EQ(murphi_errors("ruleset i: 0.. do\nrule \"r\" i = 1 ==> end;\nrule x := i; end;\nend"),
            (Lines{"1: expected an expression, found 'do'", "3: 'x' is not declared"}));
}

TEST(Recovery, AStatementWithAnErrorEndsWithItsRule) {
  EXPECT_EQ(murphi_errors("var x, y: 0..3;\nstartstate x := 0; end;\nrule \"r\" x := end;\n"
                          "rule \"s\" y := z; end;"),
            (Lines{"3: expected an expression, found 'end'", "4: 'z' is not declared"}));
}

TEST(Recovery, NamesOfADeclarationWithAnErrorAreDeclared) {
  EXPECT_EQ(murphi_errors("var x, y: 0..Missing;\nrule x := y; end;"),
            (Lines{"1: 'Missing' is not declared"}));
}

TEST(Recovery, BodiesAreExaminedThoughTheirConditionIsWrong) {
  EXPECT_EQ(murphi_errors("var b: boolean;\nrule if b = = b then\nb := 1; end;\n"
                          "while 3 do\nc := b; end;\nend;"),
            (Lines{"2: expected an expression, found '='",
                   "3: the left side is a boolean, but this is a number",
                   "4: the condition of the loop must be a boolean, but this is a number",
                   "5: 'c' is not declared"}));
}

TEST(Recovery, AKeywordWithAWrongLetterIsTakenForIt) {
  EXPECT_EQ(murphi_errors("var x: 0..3;\nruel x < 3 ==> x := 1; end;\nrule whlie x < 3 do\n"
                          "x := x + 1; end;\nend;"),
            (Lines{"2: unexpected 'ruel'; did you mean 'rule'?",
                   "3: unexpected 'whlie'; did you mean 'while'?"}));
}

TEST(Recovery, TheConstructWithoutAnEndIsNamed) {
  EXPECT_EQ(
      murphi_errors("var x: 0..3;\nrule \"a\"\n  if x = 1 then\n    for i: 0..1 do\n"
                    "      x := 2;\n  end;\n  x := 1;\nend;\nrule \"b\" x := 0; end;"),
      (Lines{"4: this 'for' has no 'end': the 'end' at line 6 lines up with the 'if' at line 3"}));
  EXPECT_EQ(murphi_errors("var x: 0..3;\nrule x := 1;\nrule x := true; end;"),
            (Lines{"2: this 'rule' has no 'end' before 'rule' at line 3",
                   "3: the left side is a number, but this is a boolean"}));
}

TEST(Recovery, ErrorsOfALineWithAnEarlierErrorAreNotReported) {
  EXPECT_EQ(murphi_errors("var x: 0..3;\nrule x := \xc3\xa9; end;\nrule \"open x := 1; end;\n"),
            (Lines{"2: unexpected character '\xc3\xa9'",
                   "3: unterminated string: the closing quote is missing"}));
}

TEST(Recovery, Dve) {
  EXPECT_EQ(dve_errors("byte x = ;\nprocess P { state a; init a;\ntrans a -> a { guard x = 1; },\n"
                       "a -> b { effect y = 1; };\n}\nsystem async;"),
            (Lines{"1: expected an expression, found ';'", "3: expected ';', found '='",
                   "4: the process 'P' has no state 'b'", "4: 'y' is not declared"}));
  EXPECT_EQ(dve_errors("byte x;\nprocess P { state a; init a;\ntrans a -> a { guard x = 1;\n"
                       "effect x := 1; };\n}\nsystem async;"),
            (Lines{"3: expected ';', found '='", "4: expected '=', found ':'"}));
  EXPECT_EQ(dve_errors("process P { state a; init a;\nsystem async;"),
            (Lines{"1: the process 'P' has no '}' before 'system' at line 2"}));
  EXPECT_EQ(dve_errors("process P { state a; init a;\ntrans a > a { guard 1; },\n-> a {} x }\n"
                       "process Q { byte state; state b; init b; }\nsystem async;"),
            (Lines{"2: expected '->', found '>'", "3: expected '->', found '}'",
                   "4: expected the name of a variable (not a keyword), found 'state'"}));
}

TEST(Recovery, AtMostTwentyErrors) {
  std::string text = "rule\n";
  for (int i = 0; i < 100; ++i) text += fmt::format("a{} := 1;\n", i);
  EXPECT_EQ(murphi_errors(text + "end;").size(), kMostErrors);
}

// Any text is read to its end or given up, with a model or an error, and in time.
template <class Read>
void break_in_every_way(const std::string& text, Read read) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t count) { return random() % count; };
  for (std::uint64_t i = cases(400); i > 0; --i) {
    std::string broken = text;
    for (std::size_t n = 1 + below(4); n > 0; --n) {
      const std::size_t at = below(broken.size()), length = 1 + below(40);
      switch (below(4)) {
        case 0: broken.erase(at, length); break;
        case 1: broken.insert(at, broken.substr(below(broken.size()), length)); break;
        case 2: broken.replace(at, 1, 1, "(){}[];:=!-.,\"\x80 "[below(16)]); break;
        default: broken.resize(std::max<std::size_t>(at, 1)); break;
      }
    }
    const Lines found = errors([&] { read(broken); });
    ASSERT_LE(found.size(), kMostErrors) << broken;
  }
}

TEST(Recovery, BrokenModelsAreReadToTheEnd) {
  for (const char* name : {"msi/msi.m", "german/german.m", "ring_election/ring_election.m"})
    break_in_every_way(read_file(source_file(std::string("examples/") + name)),
                       [](std::string_view text) { read_murphi("broken.m", text, {}); });
  for (const char* name : {"bridge/bridge.dve", "sliding_window/sliding_window.dve"})
    break_in_every_way(read_file(source_file(std::string("examples/") + name)),
                       [](std::string_view text) { read_dve("broken.dve", text, {}); });
}

TEST(Recovery, RepeatedGarbageEndsSoon) {
  for (const std::string part :
       {"rule ", "end ", "; ", "if ", "x := ", "( ", "forall ", "record ", "var x: ", "= ", "then ",
        "\" ", "ruleset ", "case ", "\x80 ", "alias ", "function "}) {
    std::string text;
    while (text.size() < 300'000) text += part;
    EXPECT_LE(murphi_errors(text).size(), kMostErrors) << part;
    EXPECT_LE(murphi_errors("rule " + text).size(), kMostErrors) << part;
  }
  for (const std::string part :
       {"process ", "trans ", "} ", "{ ", "-> ", "state ", "byte ", "guard ", "; ", "a ", "= "}) {
    std::string text;
    while (text.size() < 300'000) text += part;
    EXPECT_LE(dve_errors(text).size(), kMostErrors) << part;
    EXPECT_LE(dve_errors("process P { state a; init a; " + text).size(), kMostErrors) << part;
  }
}

}  // namespace
}  // namespace spillway
