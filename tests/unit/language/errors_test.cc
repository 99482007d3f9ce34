// What is wrong with a model is said in one sentence, with line and column.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>

#include "language/murphi/murphi.h"
#include "unit/caught.h"

namespace spillway {
namespace {

// Every case follows these declarations, on a line of its own.
constexpr const char* kBegin =
    "const N: 3; type E: enum {red, green}; S: scalarset(2); R: record f: boolean; g: 0..9; end;\n"
    "var x, y: 0..9; b: boolean; e: E; s: S; r: R; a: array [0..N] of 0..1;\n"
    "procedure p(q: 0..9; var v: 0..9); begin end; function f(): boolean; begin return true; end;\n"
    "function g(): boolean; begin x := 1; return b; end; function cuts(): boolean; begin assume b; "
    "return b; end; function through(): boolean; begin return !cuts(); end;\n";
// About a call of one of the last two, on behalf of a property.
#define HAS_NO_TRANSITION                                                           \
  " can leave out the transition ('assume'), but properties and propositions have " \
  "none; call a function without 'assume' here"

struct Wrong {
  const char* line;
  std::size_t column;
  const char* why;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) { return out << wrong.line; }

class MurphiError : public testing::TestWithParam<Wrong> {};

INSTANTIATE_TEST_SUITE_P(
    Text, MurphiError,
    testing::Values(
        Wrong{"rule b ==> x := 1;", 1, "this 'rule' has no 'end' before the end of the file"},
        Wrong{"rule x = 1; end", 8, "use ':=' to assign; '=' compares"},
        Wrong{"rule x := ; end", 11, "expected an expression, found ';'"},
        Wrong{"ruleset i := 0 to 3 by 0 do rule x := i; end; end", 24, "the step must not be 0"},
        Wrong{"rule for i := 0 to 3 by 0 do x := i; end; end", 25, "the step must not be 0"},
        Wrong{"type F: enum {blue}; var u: F; rule u := red; end", 42,
              "the left side is a value of type 'F', but this is a value of type 'E'"},
        Wrong{"type F: enum {blue}; var u: F; rule e := blue; end", 42,
              "the left side is a value of type 'E', but this is a value of type 'F'"},
        Wrong{"rule (b ==> end", 9, "expected ')', found '==>'"},
        Wrong{"var end: boolean;", 5,
              "expected a declaration, a function, a rule or a property, found 'end'"},
        Wrong{"invariant b -> b -> b;", 18, "'a -> b -> c' is ambiguous: use parentheses"},
        Wrong{"invariant x = y = x;", 17,
              "comparisons cannot be chained: use parentheses, or '&' between two comparisons"},
        Wrong{"rule liveness b; end", 6,
              "a liveness property cannot be inside a rule, because it is about all states"},
        Wrong{"var z: real(3,9);", 8,
              "real numbers are not supported, because states must be finite"},
        Wrong{"ruleset i: 0..1 do function h(): boolean; begin end; end", 1,
              "this 'ruleset' has no 'end' before 'function' at line 5 (and 1 more error)"}));

INSTANTIATE_TEST_SUITE_P(
    Names, MurphiError,
    testing::Values(
        Wrong{"rule bb := true; end", 6, "'bb' is not declared"},
        Wrong{"var x: boolean;", 5, "'x' is already declared, at line 2"},
        Wrong{"type T: enum {blue, red};", 21, "'red' is already declared, at line 1"},
        Wrong{"type T: record i: 0..1; i: boolean; end;", 25, "the record already has a field 'i'"},
        Wrong{"var z: x;", 8, "expected a type, but 'x' is a variable"},
        Wrong{"rule x := E; end", 11, "expected a value, but 'E' is a type"},
        Wrong{"rule b := f; end", 11,
              "expected a value, but 'f' is a function; its arguments are missing"},
        Wrong{"rule b := unheard(); end", 11, "'unheard' is not declared"},
        Wrong{"rule x(1); end", 6, "expected a function, but 'x' is a variable"},
        Wrong{"rule b := r.ff; end", 13, "the record has no field 'ff'"},
        Wrong{"rule b := x.f; end", 13, "only records have fields, but this is a number"},
        Wrong{"rule x := x[0]; end", 12, "only arrays have elements, but this is a number"}));

INSTANTIATE_TEST_SUITE_P(
    Types, MurphiError,
    testing::Values(
        Wrong{"rule x := b; end", 11, "the left side is a number, but this is a boolean"},
        Wrong{"rule e := 1; end", 11, "the left side is a value of type 'E', but this is a number"},
        Wrong{"rule r := a; end", 11, "the left side is a value of type 'R', but this is an array"},
        Wrong{"invariant e < e", 13,
              "only numbers can be ordered, but this is a value of type 'E'"},
        Wrong{"invariant s = e", 13, "cannot compare a value of type 'S' with a value of type 'E'"},
        Wrong{"invariant x", 11, "the property must be a boolean, but this is a number"},
        Wrong{"rule x ==> end", 6, "the guard must be a boolean, but this is a number"},
        Wrong{"rule x := s + 1; end", 11,
              "the left operand must be a number, but this is a value of type 'S'"},
        Wrong{"rule x := 1 & b; end", 15,
              "expected a number, as on the left, but this is a boolean"},
        Wrong{"rule e := red & green; end", 11,
              "expected a boolean or a number, but this is a value of type 'E'"},
        Wrong{"rule x := x ^ b; end", 15, "expected a number, but this is a boolean"},
        Wrong{"rule b := b && 1; end", 16, "expected a boolean, but this is a number"},
        Wrong{"rule a[b] := 0; end", 8, "the index must be a number, but this is a boolean"},
        Wrong{"rule if x then end; end", 9,
              "the condition must be a boolean, but this is a number"},
        Wrong{"rule while r do end; end", 12,
              "the condition of the loop must be a boolean, but this is a value of type 'R'"},
        Wrong{"rule switch r end; end", 13,
              "expected a simple value, but this is a value of type 'R'"},
        Wrong{"rule switch x case red: end; end", 20,
              "this case is a value of type 'E', but the value of the switch is a number"},
        Wrong{"rule b := isundefined(r); end", 23,
              "the argument of isundefined must be a simple variable, but this is a value of type "
              "'R'"},
        Wrong{"rule b := isundefined(!b); end", 23,
              "the argument of isundefined must be a variable or a part of one"},
        Wrong{
            "rule x := b ? 1 : red; end", 19,
            "both results of '?:' must have the same type, but one is a number and the other is a "
            "value of type 'E'"},
        Wrong{"rule for i: R do end; end", 13,
              "a counter must have a simple type, but this is a value of type 'R'"},
        Wrong{"var z: array [R] of boolean;", 15,
              "the index of an array must have a simple type, but this is a value of type 'R'"},
        Wrong{"type U: union {E, boolean};", 19,
              "the members of a union must be enumerations or scalarsets, but this is a boolean"}));

INSTANTIATE_TEST_SUITE_P(
    Constants, MurphiError,
    testing::Values(
        Wrong{"const M: x;", 10, "expected a constant, but 'x' is a variable"},
        Wrong{"const M: f();", 10, "the value of a constant must be constant"},
        Wrong{"var z: 5..3;", 8, "the upper bound 3 of this range is below its lower bound 5"},
        Wrong{"var z: 0..true;", 11,
              "the upper bound of a range must be a number, but this is a boolean"},
        Wrong{"var z: 0..1/0;", 12, "the upper bound of a range must be constant"},
        Wrong{"type T: scalarset(0);", 19, "the size of a scalarset must be at least 1, not 0"},
        Wrong{"type T: enum {};", 9, "an enumeration needs at least one value"},
        Wrong{"rule for i := 0 to 3 by 0 do end; end", 25, "the step must not be 0"},
        Wrong{"rule for i := 0 to 3 by -1 do end; end", 25, "a step of -1 never leads from 0 to 3"},
        Wrong{"ruleset i := 0 to x do rule end; end", 19,
              "expected a constant, but 'x' is a variable"}));

INSTANTIATE_TEST_SUITE_P(
    Changes, MurphiError,
    testing::Values(Wrong{"rule N := 1; end", 6, "'N' is a constant and cannot be changed"},
                    Wrong{"rule for i: 0..1 do i := 0; end; end", 21,
                          "'i' is a parameter or counter and cannot be changed"},
                    Wrong{"ruleset i: 0..1 do rule clear i; end; end", 31,
                          "'i' is a parameter or counter and cannot be changed"},
                    Wrong{"procedure h(q: R); begin q.f := true; end", 26,
                          "'q' is a parameter that is not 'var' and cannot be changed"},
                    Wrong{"rule alias q: x + y do q := 1; end; end", 24,
                          "'q' is a parameter or counter and cannot be changed"},
                    Wrong{"rule p(1, 2); end", 11,
                          "the argument of a 'var' parameter must be a variable or a part of one"},
                    Wrong{"rule p(1, N); end", 11, "'N' is a constant and cannot be changed"},
                    Wrong{"rule g() ==> end", 6,
                          "'g' changes the state; guards and properties must not"},
                    Wrong{"invariant forall i: S do g() end", 26,
                          "'g' changes the state; guards and properties must not"}));

INSTANTIATE_TEST_SUITE_P(
    Assumptions, MurphiError,
    testing::Values(Wrong{"invariant cuts()", 11, "'cuts'" HAS_NO_TRANSITION},
                    Wrong{"assume b & cuts()", 12, "'cuts'" HAS_NO_TRANSITION},
                    Wrong{"cover exists i: S do through() end", 22, "'through'" HAS_NO_TRANSITION},
                    Wrong{"ruleset i: S do liveness through() end", 26,
                          "'through'" HAS_NO_TRANSITION},
                    Wrong{"alias q: cuts() do invariant q; end", 10, "'cuts'" HAS_NO_TRANSITION},
                    Wrong{"function h(i: 0..9): boolean; begin if i > 0 then return h(i - 1); end; "
                          "assume b; return b; end; invariant h(2)",
                          108, "'h'" HAS_NO_TRANSITION}));

INSTANTIATE_TEST_SUITE_P(
    Functions, MurphiError,
    testing::Values(
        Wrong{"rule p(1); end", 6, "'p' takes 2 arguments, not 1"},
        Wrong{"rule p(b, x); end", 8, "the argument must be a number, but this is a boolean"},
        Wrong{"rule x := p(1, x); end", 11, "'p' is a procedure and has no result"},
        Wrong{"rule p(1, a[0]); end", 12,
              "the argument of a 'var' parameter must have exactly its type: the parameter is a "
              "number, but this is a "
              "number"},
        Wrong{"function h(): boolean; begin return; end", 30,
              "'return' needs a value in a function"},
        Wrong{"function h(): boolean; begin return 1; end", 37,
              "the result of the function is a boolean, but this is a number"},
        Wrong{"procedure h(); begin return 1; end", 29,
              "a procedure has no result, so 'return' takes no value"},
        Wrong{"rule return 1; end", 13, "a rule has no result, so 'return' takes no value"},
        Wrong{"procedure h(i: 0..1; i: boolean); begin end", 22,
              "'i' is already declared, at line 5"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, MurphiError,
    testing::Values(Wrong{"var z: array [0..65535] of 0..255;", 5,
                          "with this variable, a state has 589852 bits and 65547 scalars; the "
                          "limit is 524288 bits and 16777216 scalars"},
                    Wrong{"type T: array [0..99999999] of boolean;", 9,
                          "a value of this type has more than 16777216 scalars"},
                    Wrong{"ruleset i: 0..9999999 do rule end; end", 9,
                          "a parameter has at most 1048576 values"},
                    Wrong{"ruleset i: 0..99999; j: 0..99999 do rule end; end", 22,
                          "with this parameter, the rule has more than 4294967296 instances"},
                    Wrong{"var z: 0-9223372036854775807..9223372036854775807;", 8,
                          "this range has more than 2^63 values"}));

TEST_P(MurphiError, NamesThePlace) {
  const Wrong& wrong = GetParam();
  const auto error =
      caught([&] { read_murphi("some.m", fmt::format("{}{}", kBegin, wrong.line), {}); });
  ASSERT_TRUE(error) << "accepted: " << wrong.line;
  EXPECT_EQ(error->fault(), Fault::model);
  const std::string sentence = error->what();
  EXPECT_EQ(sentence, fmt::format("some.m:5:{}: {}", wrong.column, wrong.why));
}

TEST(MurphiError, BytesThatAreNoCharactersAreShownToo) {
  const auto error = caught([] { read_murphi("some.m", "var x: boolean;\n\x99 x", {}); });
  ASSERT_TRUE(error);
  EXPECT_TRUE(std::string(error->what()).starts_with("some.m:2:1: ")) << error->what();
}

TEST(MurphiError, ConstantsFromOutsideMustExist) {
  MurphiOptions options;
  options.constants = {{"MAXX", 3}};
  const auto error =
      caught([&] { read_murphi("some.m", "const MAX: 2; type E: enum {Mex};", options); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_STREQ(error->what(),
               "--const MAXX=3: the model has no constant 'MAXX'; did you mean 'MAX'?");
}

TEST(MurphiError, CmurphiDoesNotClearScalarsets) {
  MurphiOptions options;
  const char* text = "var s: record i: scalarset(2); end; startstate clear s; end";
  EXPECT_FALSE(caught([&] { read_murphi("some.m", text, options); }));
  options.dialect = MurphiDialect::cmurphi;
  EXPECT_TRUE(caught([&] { read_murphi("some.m", text, options); }));
}

}  // namespace
}  // namespace spillway
