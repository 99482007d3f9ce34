// What is wrong with a DVE model is said in one sentence, with line and column.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "language/dve/dve.h"
#include "unit/caught.h"

namespace spillway {
namespace {

// Every case follows these declarations, on a line of its own, inside the last process.
constexpr const char* kBegin =
    "const byte N = 3; byte x, arr[4]; channel c; channel {byte, int} d[2];\n"
    "process Q { byte mine; state one, two; init one; trans one -> two { sync c?x; }; }\n"
    "process P { int y; state a, b; init a;\n";

struct Wrong {
  const char* line;
  std::size_t column;
  const char* why;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.line; }

class DveError : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    Text, DveError,
    testing::Values(
        Wrong{"trans a -> b { guard x; } x", 29, "expected '->', found '}'"},
        Wrong{"trans a -> b { guard ; };", 22, "expected an expression, found ';'"},
        Wrong{"trans a -> b { guard !x; };", 22, "use 'not' for negation; '!' sends"},
        Wrong{"trans a -> b { guard (x; };", 24, "expected ')', found ';'"},
        Wrong{"trans a -> b { effect x == 1; };", 25, "use '=' to assign; '==' compares"},
        Wrong{"trans a -> b { guard x; guard y; };", 25, "a transition can have only one 'guard'"},
        Wrong{"trans a => b {};", 9, "transitions with probabilities are not supported"},
        Wrong{"trans -> b {};", 7, "the first transition must name its source state"},
        Wrong{"init b;", 1, "a process can have only one 'init'"},
        Wrong{"byte state;", 6, "expected the name of a variable (not a keyword), found 'state'"},
        Wrong{"channel e;", 1, "channels must be declared outside of processes"},
        Wrong{"byte z[N];", 8, "expected the size of the array as a number, found 'N'"},
        Wrong{"accept muller (a), (b);", 8,
              "'muller' conditions are not supported; only 'accept' with a list of states is"},
        Wrong{"@", 1, "unexpected character '@'"}));

INSTANTIATE_TEST_SUITE_P(
    Names, DveError,
    testing::Values(
        Wrong{"trans a -> bb {};", 12, "the process 'P' has no state 'bb'"},
        Wrong{"commit c1;", 8, "the process 'P' has no state 'c1'"},
        Wrong{"trans a -> b { guard yy; };", 22, "'yy' is not declared"},
        Wrong{"trans a -> b { guard c; };", 22, "expected a variable, but 'c' is a channel"},
        Wrong{"trans a -> b { guard mine; };", 22, "'mine' is not declared"},
        Wrong{"trans a -> b { guard Q.three; };", 24, "the process 'Q' has no state 'three'"},
        Wrong{"trans a -> b { guard R.one; };", 22, "there is no process 'R'"},
        Wrong{"trans a -> b { guard Q->mime; };", 25,
              "the process 'Q' has no variable 'mime'; did you mean 'mine'?"},
        Wrong{"trans a -> b { sync x!1; };", 21, "there is no channel 'x'"},
        Wrong{"trans a -> b { effect N = 1; };", 23, "'N' is a constant and cannot be changed"},
        Wrong{"trans a -> b { guard y[0]; };", 24, "'y' is not an array"},
        Wrong{"int y;", 5, "'y' is already declared, at line 3"},
        Wrong{"state a;", 7, "the process already has a state 'a'"}));

INSTANTIATE_TEST_SUITE_P(
    Values, DveError,
    testing::Values(
        Wrong{"byte z = 256;", 10, "256 does not fit 'z': the range of byte is 0 to 255"},
        Wrong{"byte z = 0 - 1;", 12, "-1 does not fit 'z': the range of byte is 0 to 255"},
        Wrong{"int z = 32768;", 9, "32768 does not fit 'z': the range of int is -32768 to 32767"},
        Wrong{"const int K = x;", 15, "the value of a constant must not depend on variables"},
        Wrong{"byte z[2] = 1;", 13, "an array must be initialised with a list in braces"},
        Wrong{"byte z = {1};", 11, "only arrays can be initialised with a list"},
        Wrong{"byte z[0];", 8, "an array must have at least one element"},
        Wrong{"byte z[99999999];", 8, "an array can have at most 16777216 elements"},
        Wrong{"byte z[65536];", 6,
              "with this variable, a state has 524404 bits and 65550 scalars; the "
              "limit is 524288 bits and 16777216 scalars"},
        Wrong{"trans a -> b { sync c!; };", 21,
              "wrong number of values: 0 sent, but messages on 'c' have 1"},
        Wrong{"trans a -> b { sync d?x; };", 21,
              "wrong number of values: 1 received, but messages on 'd' have 2"}));

TEST_P(DveError, NamesThePlace) {
  const Wrong& wrong = GetParam();
  const auto error = caught(
      [&] { read_dve("some.dve", fmt::format("{}{} }} system async;", kBegin, wrong.line), {}); });
  ASSERT_TRUE(error) << "accepted: " << wrong.line;
  EXPECT_EQ(error->fault(), Fault::model);
  const std::string sentence = error->what();
  EXPECT_EQ(sentence, fmt::format("some.dve:4:{}: {}", wrong.column, wrong.why));
}

std::string why(std::string_view text) {
  const auto error = caught([&] { read_dve("some.dve", text, {}); });
  return error ? error->what() : "";
}

TEST(DveError, WholeModels) {
  EXPECT_TRUE(
      why("").starts_with("some.dve:1:1: expected a variable, a channel, a process or 'system'"));
  EXPECT_TRUE(
      why("system async;").starts_with("some.dve:1:1: a system needs at least one process"));
  EXPECT_TRUE(why("process P { init a; } system async;")
                  .starts_with("some.dve:1:9: the process has no states"));
  EXPECT_TRUE(why("process P { state a; } system async;")
                  .starts_with("some.dve:1:9: the process has no initial state"));
  EXPECT_TRUE(why("process P { state a; init a; } system async; x")
                  .starts_with("some.dve:1:46: expected the end of the file"));
  EXPECT_TRUE(why("process P { state a; init a; } system async property Q;")
                  .starts_with("some.dve:1:54: there is no"));
  EXPECT_TRUE(
      why("input int i = 5;").starts_with("some.dve:1:1: 'input' is an extension of DiVinE 3"));
  EXPECT_TRUE(why("byte x; process P { state a; init a; trans a -> a { effect x = 1; }; } system "
                  "async property P;")
                  .starts_with("some.dve:1:60: a property process only observes the others"));
}

TEST(DveError, ProductsThatExplodeAreRefused) {
  std::string text;
  for (int process = 0; process < 40; ++process)
    text += fmt::format("process P{} {{ state a; init a; trans a -> a {{}}, a -> a {{}}; }}\n",
                        process);
  EXPECT_NE(why(text + "system sync;").find("the model is too large here"), std::string::npos);
  EXPECT_EQ(why(text + "system async;"), "");
}

}  // namespace
}  // namespace spillway
