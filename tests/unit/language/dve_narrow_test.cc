// Rows have room for the values that variables can have, and for no others.
#include <gtest/gtest.h>

#include "language/dve/dve.h"
#include "program/layout.h"

namespace spillway {
namespace {

// Bits of all variables but the local state of P, which takes one.
std::uint64_t bits(const std::string& declarations, const std::string& transitions,
                   DveErrors errors = DveErrors::report) {
  DveOptions options;
  options.errors = errors;
  const ReadProgram model = read_dve(
      "m.dve",
      declarations + " process P { state a, e; init a; trans " + transitions + "; } system async;",
      options);
  return program::Layout(model.program).bits() - 1;
}

TEST(DveNarrow, ConstantsThatAreAssigned) {
  EXPECT_EQ(bits("byte x;", "a -> e { effect x = 1; }, e -> a { effect x = 5; }"), 3u);
  EXPECT_EQ(bits("int x;", "a -> e { effect x = -3; }, e -> a { effect x = 4; }"), 3u);
  EXPECT_EQ(bits("byte x[4];", "a -> e { effect x[1] = 3; }"), 8u);
  EXPECT_EQ(bits("byte x = 1;", "a -> e { }"), 1u);
}

TEST(DveNarrow, GuardsBoundCounters) {
  EXPECT_EQ(bits("byte x;", "a -> e { guard x < 9; effect x = x + 1; }"), 4u);
  EXPECT_EQ(bits("byte x;", "a -> e { guard x != 100; effect x = x + 1; }"), 7u);
  EXPECT_EQ(bits("byte x;", "a -> e { guard x != 99; effect x = x + 2; }"), 8u);  // it passes by
  EXPECT_EQ(bits("int x = 20;", "a -> e { guard not (x <= 0); effect x = x - 1; }"), 5u);
  EXPECT_EQ(bits("int x;", "a -> e { guard x <= 1000 && x > -1000; effect x = x + 1, x = x - 2; }"),
            11u);
  EXPECT_EQ(bits("byte x;", "a -> e { guard x < 9 || x == 20; effect x = x + 1; }"), 8u);
}

TEST(DveNarrow, WithoutBoundTypesRemain) {
  EXPECT_EQ(bits("byte x;", "a -> e { effect x = x + 1; }"), 8u);
  EXPECT_EQ(bits("byte x;", "a -> e { effect x = x + 1; }", DveErrors::wrap), 8u);
  EXPECT_EQ(bits("int x;", "a -> e { effect x = x - 1; }"), 16u);
}

TEST(DveNarrow, ValuesFollowOtherVariables) {
  EXPECT_EQ(bits("byte x, y;", "a -> e { effect x = 3, y = x + 1; }"), 2u + 3u);
  EXPECT_EQ(bits("byte x, y = 6;", "a -> e { effect x = y; }, e -> a { effect y = x; }"), 3u + 3u);
  EXPECT_EQ(bits("byte x; int y;", "a -> e { effect x = 5, y = x % 3 - 1; }", DveErrors::wrap),
            3u + 2u);
}

TEST(DveNarrow, ChannelsKeepWhatIsSent) {
  EXPECT_EQ(bits("channel {byte} c[2]; byte x;", "a -> e { sync c!3; }, e -> a { sync c?x; }"),
            2u + 2u * 2u + 2u);
}

}  // namespace
}  // namespace spillway
