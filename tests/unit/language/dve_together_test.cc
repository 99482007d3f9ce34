// What DVE models do when several processes move at once, and in which order things happen in one
// step.
#include <gtest/gtest.h>

#include <string>

#include "unit/caught.h"
#include "unit/language/explored.h"

namespace spillway {
namespace {

TEST(DveTogether, AReceiverSeesTheSenderWhereItWas) {
  const Explored model(
      "byte r, s; channel c; process S { state a, b; init a; trans a -> b { sync c!; effect s = "
      "R.y; }; }\n"
      "process R { state x, y; init x; trans x -> y { sync c?; effect r = S.a * 10 + R.y; }; } "
      "system async;");
  ASSERT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.value(1, "r"), 11);
  EXPECT_EQ(model.value(1, "s"), 1);
}

TEST(DveTogether, WhatGoesIntoAChannelIsOfTheStateBefore) {
  const char* text =
      "channel {byte} c[1]; process S { state a, b; init a; trans a -> b { sync c!S.b + 5; }; } "
      "system async;";
  EXPECT_EQ(Explored(text).value(1, "c", 1), 5);
  EXPECT_EQ(Explored(text, DveErrors::wrap).value(1, "c", 1), 5);
  EXPECT_EQ(Explored(text, DveErrors::legacy).value(1, "c", 1), 6);
}

// The receiver's first value decides where the second goes, or what it is.
TEST(DveTogether, SeveralValuesAreStoredOneAfterTheOtherAsTheToolsDo) {
  const char* text =
      "byte i = 1, arr[4]; channel c; process S { state a, b; init a; trans a -> b { sync c!{3, i "
      "+ 4}; }; }\n"
      "process R { state a, b; init a; trans a -> b { sync c?{i, arr[i]}; }; } system async;";
  const auto arr = [&](DveErrors errors) {
    const Explored model(text, errors);
    return std::vector<program::Value>{model.value(1, "arr", 1), model.value(1, "arr", 3)};
  };
  EXPECT_EQ(arr(DveErrors::report), (std::vector<program::Value>{5, 0}));
  EXPECT_EQ(arr(DveErrors::wrap), (std::vector<program::Value>{0, 5}));
  EXPECT_EQ(arr(DveErrors::legacy), (std::vector<program::Value>{7, 0}));
}

TEST(DveTogether, WhatIsReceivedGoesWhereTheStateBeforeSays) {
  const char* text =
      "byte i = 1, arr[3]; channel {byte} c[1]; process S { state a, b, d; init a; trans a -> b { "
      "sync c!9; },\n"
      "b -> d { sync c?arr[i]; effect i = 2, arr[0] = arr[1]; }; } system async;";
  const Explored model(text);
  EXPECT_EQ(model.value(2, "arr", 1), 9);
  EXPECT_EQ(model.value(2, "arr", 0), 9);
  const Explored legacy(text, DveErrors::legacy);
  EXPECT_EQ(legacy.value(2, "arr", 1), 9);
  EXPECT_EQ(legacy.value(2, "arr", 0), 0);
}

TEST(DveTogether, MessagesThatDoNotFitTheirChannelAreReported) {
  const Explored typed(
      "channel {byte} c[0]; process S { state a, b; init a; trans a -> b { sync c!300; }; }\n"
      "process R { int x; state a, b; init a; trans a -> b { sync c?x; }; } system async;");
  EXPECT_EQ(typed.failure, "300 is outside the range of a message on 'c'");
  const Explored buffered(
      "channel {byte} c[2]; process S { state a; init a; trans a -> a { sync c!-1; }; } system "
      "async;");
  EXPECT_NE(buffered.failure, "");
}

TEST(DveTogether, ReceivedMessagesLeaveNoTrace) {
  const Explored model(
      "channel {byte, int} c[3]; process S { byte n; state a, b; init a; trans a -> b { sync c!{n "
      "+ 1, -7}; },\n"
      "b -> a { sync c?{n, n}; effect n = 1 - n + 1 - 1; }; } system async;",
      DveErrors::wrap);
  EXPECT_EQ(model.failure, "");
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    if (model.value(i, "c", 0) != 0) continue;
    for (std::size_t part = 1; part < 7; ++part) EXPECT_EQ(model.value(i, "c", part), 0);
  }
}

TEST(DveTogether, CommittedProcessesMeetEachOther) {
  const Explored model(
      "channel c; process P { state a, b; init a; commit a; trans a -> b { sync c!; }; }\n"
      "process Q { state a, b; init a; commit a; trans a -> b { sync c?; }; }\n"
      "process R { state a, b; init a; trans a -> b {}, a -> b { sync c?; }; } system async;");
  // Both leave a, then R moves; R never comes first, and nobody meets R.
  EXPECT_EQ(model.states.size(), 3u);
  EXPECT_EQ(model.transitions, 2u);
}

TEST(DveTogether, CommittedProcessesUseChannelsThatKeepMessages) {
  const Explored model(
      "channel {byte} c[1]; process P { state a, b; init a; commit a; trans a -> b { sync c!1; }; "
      "}\n"
      "process Q { byte x; state a, b; init a; trans a -> b { sync c?x; }, a -> b {}; } system "
      "async;");
  EXPECT_EQ(model.values("Q.x"), (Values{0, 1}));
  EXPECT_EQ(model.states.size(), 4u);
  EXPECT_EQ(model.transitions, 3u);
}

TEST(DveTogether, SynchronousProcessesDoNotSeeWhatOthersDo) {
  const Explored model(
      "byte x = 1, y = 2, a[2] = {3, 4}; process P { state s, t; init s;\n"
      "trans s -> t { effect x = y + 10, x = x + 10, a[0] = a[1], a[1] = a[0]; }; }\n"
      "process Q { byte i, p; state s, t; init s; trans s -> t { effect y = x, i = a[x], p = P.s; "
      "}; } system sync;");
  ASSERT_EQ(model.states.size(), 2u);
  EXPECT_EQ(model.value(1, "x"), 22);
  EXPECT_EQ(model.value(1, "y"), 1);
  EXPECT_EQ(model.value(1, "a", 1), 4);  // its own effects one after the other
  EXPECT_EQ(model.value(1, "Q.i"), 4);
  EXPECT_EQ(model.value(1, "Q.p"), 1);
}

TEST(DveTogether, PartnersThatAssignTheSameAreAnErrorInTheFirstInterpreter) {
  const char* text =
      "byte g[2]; channel c; process S { state a, b; init a; trans a -> b { sync c!; effect g[0] = "
      "1; }; }\n"
      "process R { state a, b; init a; trans a -> b { sync c?; effect g[1] = 2; }; } system async;";
  EXPECT_EQ(Explored(text).value(1, "g", 1), 2);
  EXPECT_EQ(Explored(text, DveErrors::wrap).value(1, "g", 0), 1);
  const Explored legacy(text, DveErrors::legacy);
  ASSERT_EQ(legacy.states.size(), 2u);
  EXPECT_EQ(legacy.value(1, "S"), 2);  // the state of errors
  EXPECT_EQ(legacy.value(1, "g", 1), 0);
}

// Guards are evaluated in the order of processes, the sender's before the receiver's.  One that is
// always false hides no failure of one before it.
TEST(DveTogether, AGuardThatIsAlwaysFalseHidesNoFailure) {
  const std::string fails = "6 / z == 1", never = "true != 1";
  const auto text = [&](const std::string& p, const std::string& q, const std::string& system) {
    const std::string c = system == "async" ? "sync c" : "";
    return "byte z; channel c; process P { state a, b; init a; trans a -> b { guard " + p + "; " +
           (c.empty() ? "" : c + "!; ") + "}; }\n" +
           "process Q { state a, b; init a; trans a -> b { guard " + q + "; " +
           (c.empty() ? "" : c + "?; ") + "}; } system " + system + ";";
  };
  for (const char* system : {"async", "sync"}) {
    SCOPED_TRACE(system);
    EXPECT_NE(Explored(text(fails, never, system)).failure, "");
    EXPECT_EQ(Explored(text(never, fails, system)).failure, "");
    EXPECT_EQ(Explored(text(fails, never, system), DveErrors::legacy).states.size(), 2u);
    EXPECT_EQ(Explored(text(never, fails, system), DveErrors::legacy).states.size(), 1u);
    EXPECT_EQ(Explored(text("z == 0", never, system)).failure, "");
  }
  const std::string alone = "byte z; process P { state a, b; init a; trans a -> b { guard ";
  EXPECT_NE(Explored(alone + fails + ", " + never + "; }; } system async;").failure, "");
  EXPECT_EQ(Explored(alone + never + ", " + fails + "; }; } system async;").failure, "");
}

// What is received does not count as assigned.
TEST(DveTogether, AMessageIsNoAssignment) {
  const Explored legacy(
      "byte g; channel c; process S { state a, b; init a; trans a -> b { sync c!7; effect g = g + "
      "1; }; }\n"
      "process R { state a, b; init a; trans a -> b { sync c?g; }; } system async;",
      DveErrors::legacy);
  EXPECT_EQ(legacy.value(1, "g"), 8);
}

TEST(DveTogether, NegativeNumbersOnTheRightAreFalseInTheFirstInterpreter) {
  const auto value = [](const std::string& expression, DveErrors errors) {
    return Explored("int n = -1, x; process P { state a, b; init a; trans a -> b { effect x = " +
                        expression + "; }; } system async;",
                    errors)
        .value(1, "x");
  };
  for (const char* expression : {"1 and n", "0 or n", "1 imply n", "1 and 1 and n"}) {
    EXPECT_EQ(value(expression, DveErrors::report), 1) << expression;
    EXPECT_EQ(value(expression, DveErrors::legacy), 0) << expression;
  }
  for (const char* expression : {"n and 1", "n or 0", "1 and n + 2", "not (not n)"})
    EXPECT_EQ(value(expression, DveErrors::legacy), 1) << expression;
}

TEST(DveTogether, GlobalConstantsCanHaveOtherValues) {
  const auto read = [](std::map<std::string, std::int64_t> constants) {
    DveOptions options;
    options.constants = std::move(constants);
    return read_dve("some.dve",
                    "const byte N = 2, M = N + 1, T[2]; byte x = M; process P { const int K = 1; "
                    "state a; init a; }\n"
                    "system async;",
                    options);
  };
  const ReadProgram model = read({{"N", 9}});
  program::Interpreter interpreter(model.program);
  interpreter.initial([&](const Word* row, program::InstanceIndex) {
    EXPECT_EQ(program::read_bits(row, interpreter.layout().variable_bit(0), 8), 10u);
  });
  const auto refused = [&](const char* name, std::int64_t value) {
    const std::optional<Error> error = caught([&] { read({{name, value}}); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_NE(refused("N", 256).find("--const N=256: 256 does not fit 'N'"), std::string::npos);
  EXPECT_NE(refused("L", 1).find("the model has no constant number 'L'"), std::string::npos);
  for (const char* name : {"K", "T", "x"}) EXPECT_NE(refused(name, 1), "") << name;
}

}  // namespace
}  // namespace spillway
