// What DVE models do, step by step.
#include <gtest/gtest.h>

#include "unit/language/explored.h"

namespace spillway {
namespace {

// The value that `x` has after one transition with this effect.
program::Value after(const std::string& effect, DveErrors errors = DveErrors::report) {
  const Explored model(
      "byte b = 200, arr[3] = {1, 2, 3}; int i = -5, x; process P { state a, e; init a;\n"
      "trans a -> e { effect " +
          effect + "; }; } system async;",
      errors);
  EXPECT_EQ(model.failure, "");
  return model.states.size() == 2 ? model.value(1, "x") : -99999;
}

TEST(DveRun, EverythingBeginsWithZeroOrWhatTheTextSays) {
  const Explored model(
      "const int K = 2; byte a[3] = {1, K, 3, 4}, z = 9; int n[2], m = -K, l[2] = {m + 1}; channel "
      "{int} c[2];\n"
      "process P { int v = z; state s, t; init t; } system async;");
  ASSERT_EQ(model.states.size(), 1u);
  EXPECT_EQ(model.value(0, "a", 1), 2);
  EXPECT_EQ(model.value(0, "a", 2), 3);
  EXPECT_EQ(model.value(0, "z"), 9);
  EXPECT_EQ(model.value(0, "n", 1), 0);
  EXPECT_EQ(model.value(0, "m"), -2);
  EXPECT_EQ(model.value(0, "l", 0), -1);
  EXPECT_EQ(model.value(0, "l", 1), 0);
  EXPECT_EQ(model.value(0, "c", 2), 0);
  EXPECT_EQ(model.value(0, "P"), 1);
  EXPECT_EQ(model.value(0, "P.v"), 9);
  EXPECT_EQ(model.deadlocks, 1u);
}

TEST(DveRun, ANameIsFirstOneOfItsProcess) {
  const Explored model(
      "byte v = 3; process P { byte v = 1; state a, e; init a; trans a -> e { effect v = v + 10; "
      "}; "
      "} system async;");
  ASSERT_EQ(model.states.size(), 2U);
  EXPECT_EQ(model.value(1, "v"), 3);
  EXPECT_EQ(model.value(1, "P.v"), 11);
}

TEST(DveRun, ExpressionsAreNumbersAsInC) {
  EXPECT_EQ(after("x = (b > 3) + (i < 0) * 2 + not b"), 3);
  EXPECT_EQ(after("x = i / 2 * 10 + i % 3"), -22);
  EXPECT_EQ(after("x = (5 and 7) + (i or 1/(b-200)) + (0 imply 1/0)"), 3);
  EXPECT_EQ(after("x = b - 200 and 1 / (b - 200)"), 0);
  EXPECT_EQ(after("x = ~i"), 4);
  EXPECT_EQ(after("x = 1 << 4 | 3 & 6 ^ 1"), 3);
  EXPECT_EQ(after("x = P.a * 10 + P.e"), 1);  // the local state changes first
  EXPECT_EQ(after("arr = 7, x = arr[0] * 10 + arr"), 77);
  EXPECT_EQ(after("x = 1, x = x + 1, b = x, x = x + b"), 4);
  EXPECT_EQ(after("b = 0, arr[b] = 2, arr[arr[b]] = 9, x = arr[2]"), 9);
}

TEST(DveRun, WhatDoesNotFitIsReportedOrCut) {
  EXPECT_EQ(after("b = b + 100, x = b", DveErrors::wrap), 44);
  EXPECT_EQ(after("b = i, x = b", DveErrors::wrap), 251);
  EXPECT_EQ(after("x = 32767, x = x + 2", DveErrors::wrap), -32767);
  EXPECT_EQ(after("x = -b * 300", DveErrors::wrap), 5536);
  const auto failure = [](const std::string& effect) {
    return Explored("byte b = 200, arr[3]; process P { state a; init a; trans a -> a { effect " +
                    effect + "; }; } system async;")
        .failure;
  };
  EXPECT_NE(failure("b = b + 100"), "");
  EXPECT_NE(failure("b = -1"), "");
  EXPECT_NE(failure("arr[b] = 1"), "");
  EXPECT_NE(failure("b = 1 / arr[0]"), "");
  EXPECT_NE(failure("b = arr[3]"), "");
}

TEST(DveRun, ConstantArraysKnowTheirBounds) {
  const std::string begin =
      "const int T[4] = {5, 0, -7}; byte i; int x; process P { state a; init a;\n";
  const Explored model(
      begin + "trans a -> a { guard i < 4; effect x = T[i], i = i + 1; }; } system async;");
  EXPECT_EQ(model.failure, "");
  EXPECT_EQ(model.values("x"), (Values{-7, 0, 5}));
  EXPECT_NE(
      Explored(begin + "trans a -> a { effect x = T[i], i = i + 1; }; } system async;").failure,
      "");
}

// The other process moves on from the state of errors; the first one cannot.
TEST(DveRun, TheStateOfErrorsIsFollowedByOthers) {
  const char* text =
      "byte x = 254; process P { state a, b; init a; trans a -> b { effect x = x + 1; }, b -> a "
      "{}; }\n"
      "process Q { byte y = 5; state c, d; init d; trans c -> c { guard y < 2; effect y = y + 1; "
      "}; } system async;";
  const Explored legacy(text, DveErrors::legacy);
  EXPECT_EQ(legacy.failure, "");
  EXPECT_EQ(legacy.states.size(), 6u);  // three, and three with the error
  EXPECT_EQ(legacy.values("P"), (Values{0, 1, 2}));
  EXPECT_EQ(legacy.deadlocks, 1u);
  EXPECT_EQ(Explored(text, DveErrors::wrap).states.size(), 512u);
}

TEST(DveRun, AGuardThatFailsLeadsToTheStateOfErrors) {
  const Explored model(
      "byte x; process P { state a; init a; trans a -> a { guard 1 / x; }; } system async;",
      DveErrors::legacy);
  EXPECT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.values("P"), (Values{0, 1}));
}

TEST(DveRun, WhatIsSentIsKnownBeforeAnythingChanges) {
  const Explored model(
      "byte g = 1, arr[4]; channel c;\n"
      "process S { byte s = 2; state a, b; init a; trans a -> b { sync c!s + S.a; effect s = 9, g "
      "= g * 10 + 1; }; }\n"
      "process R { state a, b; init a; trans a -> b { sync c?arr[g]; effect g = g + arr[1]; }; } "
      "system async;");
  ASSERT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.value(1, "arr", 1), 3);
  EXPECT_EQ(model.value(1, "g"), 41);  // the receiver's effect comes first
  EXPECT_EQ(model.value(1, "S.s"), 9);
}

TEST(DveRun, SeveralValuesAreStoredAtOnce) {
  const Explored model(
      "byte i = 1, arr[4]; channel c;\n"
      "process S { state a, b; init a; trans a -> b { sync c!{3, i + 4}; }; }\n"
      "process R { state a, b; init a; trans a -> b { sync c?{i, arr[i]}; }; } system async;");
  ASSERT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.value(1, "i"), 3);
  EXPECT_EQ(model.value(1, "arr", 1), 5);
}

TEST(DveRun, NobodyMeetsHimselfAndEachPairIsATransition) {
  const Explored model(
      "channel c; process P { state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; }; "
      "}\n"
      "process Q { state a, b; init a; trans a -> b { sync c?; }, a -> a { sync c?; }, a -> b { "
      "sync c!; }; }\n"
      "system async;");
  EXPECT_EQ(model.transitions, 3u);
  EXPECT_EQ(model.states.size(), 3u);
  EXPECT_EQ(model.deadlocks, 2u);
}

TEST(DveRun, ChannelsKeepMessagesInOrder) {
  const Explored model(
      "channel {byte, int} c[2]; process S { byte n = 1; state a; init a;\n"
      "trans a -> a { guard n < 5; sync c!{n, -n}; effect n = n + 1; }; }\n"
      "process R { byte x; int y; state a; init a; assert a: x == -y; trans a -> a { sync c?{x, "
      "y}; }; } system "
      "async;");
  EXPECT_EQ(model.failure, "");
  EXPECT_EQ(model.values("c", 0), (Values{0, 1, 2}));
  EXPECT_EQ(model.values("R.x"), (Values{0, 1, 2, 3, 4}));
  EXPECT_EQ(model.states.size(), 12u);  // sent 0 to 4, of them 0 to 2 in the channel
  EXPECT_EQ(model.deadlocks, 1u);
}

TEST(DveRun, TheFirstInterpreterLooksAtTheChannelAfterTheEffects) {
  const char* text =
      "channel {byte} c[1]; process S { byte n = 1; state a, b; init a; trans a -> b { sync c!n; "
      "effect n = 7; }; }\n"
      "system async;";
  EXPECT_EQ(Explored(text).value(1, "c", 1), 1);
  EXPECT_EQ(Explored(text, DveErrors::legacy).value(1, "c", 1), 7);
}

TEST(DveRun, TypedChannelsCutWhatTheyCarry) {
  const char* text =
      "channel {byte} c[0]; process S { state a, b; init a; trans a -> b { sync c!300; }; }\n"
      "process R { int x; state a, b; init a; trans a -> b { sync c?x; }; } system async;";
  EXPECT_EQ(Explored(text, DveErrors::wrap).value(1, "R.x"), 44);
  EXPECT_EQ(Explored(text, DveErrors::legacy).value(1, "R.x"), 44);
}

TEST(DveRun, CommittedProcessesGoFirst) {
  const Explored model(
      "channel c; process P { state a, b, d; init a; commit b; trans a -> b {}, b -> d {}, b -> d "
      "{ sync c!; }; }\n"
      "process Q { state x, y; init x; trans x -> y { sync c?; }, x -> y {}; } system async;");
  // a x, a y, b x, b y, d x, d y; from b x only P moves, and not together with Q.
  EXPECT_EQ(model.states.size(), 6u);
  EXPECT_EQ(model.transitions, 6u);
  EXPECT_EQ(model.deadlocks, 1u);
}

TEST(DveRun, ACommittedProcessThatCannotMoveStopsAll) {
  const Explored model(
      "process P { state a, b; init b; commit b; trans b -> a { guard 1 == 2; }; }\n"
      "process Q { state x; init x; trans x -> x {}; } system async;");
  EXPECT_EQ(model.states.size(), 1u);
  EXPECT_EQ(model.deadlocks, 1u);
}

TEST(DveRun, SynchronousProcessesMoveAtOnce) {
  const Explored model(
      "channel c; process P { byte n; state a; init a; trans a -> a { guard n < 3; sync c!; effect "
      "n = n + 1; }; }\n"
      "process Q { state x, y; init x; trans x -> y {}, x -> x {}, y -> x {}; } system sync;");
  EXPECT_EQ(model.values("P.n"), (Values{0, 1, 2, 3}));
  EXPECT_EQ(model.states.size(), 7u);
  EXPECT_EQ(model.transitions, 2u + 3u + 3u);
  EXPECT_EQ(model.deadlocks, 2u);
}

TEST(DveRun, SynchronousProcessesMustNotAssignTheSame) {
  const char* text =
      "byte g; process P { state a; init a; trans a -> a { effect g = 1; }; }\n"
      "process Q { state a; init a; trans a -> a { effect g = 2; }; } system sync;";
  EXPECT_EQ(Explored(text).failure, "two processes assign 'g' at once");
}

TEST(DveRun, ThePropertyReadsTheStateThatIsLeft) {
  Explored model(
      "process P { byte n; state a; init a; trans a -> a { guard n < 2; effect n = n + 1; }; }\n"
      "process L { state q, r; init q; accept r; trans q -> q {}, q -> r { guard P->n == 2; }, r "
      "-> r {}; }\n"
      "system async property L;");
  // n = 0, 1, 2 in q; the system stands still with n = 2, and the property goes on alone.
  ASSERT_EQ(model.states.size(), 4u);
  EXPECT_EQ(model.transitions, 2u + 2u + 1u);
  EXPECT_EQ(model.value(3, "L"), 1);
  EXPECT_TRUE(model.accepting(3));
  EXPECT_FALSE(model.accepting(2));
}

TEST(DveRun, WithoutAMoveOfThePropertyThereIsNone) {
  const Explored model(
      "process P { state a, b; init a; trans a -> b {}, b -> a {}; }\n"
      "process L { state q, r; init q; accept q; trans q -> r {}; } system async property L;");
  EXPECT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.deadlocks, 1u);
}

}  // namespace
}  // namespace spillway
