// Which loops look for a request to stop.
#include "program/work.h"

#include <gtest/gtest.h>

#include "language/murphi/murphi.h"
#include "program/c/generate_c.h"

namespace spillway {
namespace {

std::size_t looks_in(const std::string& rule) {
  const std::string text = "var x: 0..3;\nstartstate x := 0; end;\n" + rule;
  const std::string c = program::generate_c(read_murphi("model.m", text, {}).program);
  std::size_t count = 0;
  for (std::size_t at = c.find("LOOK;"); at != std::string::npos; at = c.find("LOOK;", at + 1))
    ++count;
  return count;
}

TEST(Work, ShortLoopsDoNotLook) {
  EXPECT_EQ(looks_in("rule true ==> x := 1; end;"), 0);
  EXPECT_EQ(looks_in("rule true ==> for i: 0..9 do x := i % 4; end; end;"), 0);
  EXPECT_EQ(looks_in("rule forall i: 0..9 do exists j: 0..9 do i = j + x end end ==> x := 1; end;"),
            0);
  EXPECT_EQ(looks_in("ruleset p: 0..9; q: 0..9 do rule x != (p + q) % 4 ==> x := p % 4; end; end;"),
            0);
}

TEST(Work, LongLoopsLookOnce) {
  EXPECT_EQ(looks_in("rule true ==> for i: 0..99999 do x := i % 4; end; end;"), 1);
  EXPECT_EQ(looks_in("rule true ==> for i: 0..99 do for j: 0..99 do for k: 0..9 do x := k % 4; "
                     "end; end; end; end;"),
            1);
  EXPECT_EQ(
      looks_in(
          "rule forall i: 0..999 do forall j: 0..999 do i + j + x < 3000 end end ==> x := 1; end;"),
      1);
  EXPECT_EQ(
      looks_in("ruleset p: 0..999; q: 0..999 do rule x != (p + q) % 4 ==> x := p % 4; end; end;"),
      1);
  EXPECT_EQ(looks_in("invariant forall i: 0..99999 do x + i < 200000 end;"), 1);
}

TEST(Work, LoopsWhoseEndIsNotKnownLook) {
  EXPECT_EQ(looks_in("rule true ==> while x < 3 do x := x + 1; end; end;"), 1);
  EXPECT_EQ(looks_in("rule true ==> for i := 0 to 1000000 * x do x := i % 4; end; end;"), 1);
}

TEST(Work, FunctionsThatCallThemselvesLook) {
  EXPECT_EQ(
      looks_in(
          "function f(n: 0..9): 0..3; begin if n = 0 then return 0; end; return f(n - 1); end;\n"
          "rule true ==> x := f(9); end;"),
      1);
}

TEST(Work, WhatAFunctionTakesCountsWhereItIsCalled) {
  const std::string f =
      "function f(): 0..3; begin for i: 0..999 do if x = i then return 1; end; end; return 0; "
      "end;\n";
  EXPECT_EQ(looks_in(f + "rule true ==> x := f(); end;"), 0);
  EXPECT_EQ(looks_in(f + "rule true ==> for i: 0..999 do x := f(); end; end;"), 1);
}

}  // namespace
}  // namespace spillway
