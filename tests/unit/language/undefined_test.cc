// What is concluded from conditions, by both meanings of undefined scalarset and union values.
#include <gtest/gtest.h>

#include "language/murphi/murphi.h"
#include "program/c/generate_c.h"

namespace spillway {
namespace {

constexpr const char* kTypes =
    "type S: scalarset(2); Only: scalarset(1); E: enum {a, b}; U: union {S, E};\n"
    "  F: enum {c}; EF: union {E, F}; var ef: EF;\n"
    "var s: S; o, o2: Only; e: E; u, v: U; n: array [S] of S; x: boolean; k: 0..3;\n"
    "startstate x := false; k := 0; end;\n";

MurphiModel read(const std::string& text, MurphiUndefined undefined) {
  return read_murphi("some.m", kTypes + text, {.undefined = undefined, .constants = {}});
}

// The warnings about what is behind kTypes.
std::size_t warned(const std::string& text, MurphiUndefined undefined) {
  std::size_t count = 0;
  for (const auto& warning : read(text, undefined).warnings)
    if (warning.position.line > 4) ++count;
  return count;
}

void expect_warnings(const std::string& condition, std::size_t error, std::size_t cmurphi) {
  for (const std::string& text : {"rule \"r\" " + condition + " ==> x := !x; end;",
                                  "rule if " + condition + " then x := !x; end; end;",
                                  "invariant \"i\" !(" + condition + ");"}) {
    EXPECT_EQ(warned(text, MurphiUndefined::error), error) << text;
    EXPECT_EQ(warned(text, MurphiUndefined::cmurphi), cmurphi) << text;
  }
}

TEST(Undefined, MayMakeTrueWhatIsAlwaysFalseOtherwise) {
  expect_warnings("o != o2", 1, 0);
  expect_warnings("e != a & e != b", 1, 1);
  expect_warnings("ef != a & ef != b & ef != c", 1, 0);
  expect_warnings("a != ef & b != ef & c != ef", 1, 0);
  expect_warnings("ef = a & ef = b", 1, 1);
  expect_warnings("k = 4", 1, 1);
  expect_warnings("u != b & u != a & u = v & !exists z: S do u = z end", 0, 0);
  expect_warnings("(x ? o : o2) != o", 1, 0);
  expect_warnings("u = a & u = b", 1, 1);
}

TEST(Undefined, CannotFailWhereItCounts) {
  // The turns of a loop may come in any order if the second operand need not be evaluated.
  const std::string text = "rule for i: S do x := x | n[i] = s; end; end;";
  const auto symmetries = [&](MurphiUndefined undefined) {
    return read(text, undefined).program.symmetries.size();
  };
  EXPECT_EQ(symmetries(MurphiUndefined::error), 1U);
  EXPECT_EQ(symmetries(MurphiUndefined::cmurphi), 2U);
}

TEST(Undefined, FailsInTheRulesThatReadIt) {
  const auto calls = [](MurphiUndefined undefined) {
    const std::string rules =
        "rule u = a ==> x := !x; end; rule u = b ==> x := !x; end;"
        "rule u = a & x ==> k := 1; end; rule u = b & x ==> k := 2; end;";
    const std::string c = program::generate_c(read(rules, undefined).program);
    return c.find("  case 0:") != std::string::npos;
  };
  EXPECT_TRUE(calls(MurphiUndefined::error));
  EXPECT_FALSE(calls(MurphiUndefined::cmurphi));
}

}  // namespace
}  // namespace spillway
