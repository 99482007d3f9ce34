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
    "function g(): boolean; begin x := 1; return b; end;\n";

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
        Wrong{"rule b ==> x := 1;", 19,
              "'end' of the rule that begins at line 5 is expected here, not the end of the text"},
        Wrong{"rule x = 1; end", 8, "an assignment is written ':='; '=' compares"},
        Wrong{"rule x := ; end", 11, "an expression is expected here, not ';'"},
        Wrong{"rule (b ==> end", 9, "')' is expected here, not '==>'"},
        Wrong{"var end: boolean;", 5,
              "a declaration, a function, a rule or a property is expected here, not 'end'"},
        Wrong{"invariant b -> b -> b;", 18, "'a -> b -> c' has two meanings: use parentheses"},
        Wrong{"invariant x = y = x;", 17,
              "comparisons cannot be chained: use parentheses, or '&' between two of them"},
        Wrong{"rule liveness b; end", 6,
              "a liveness property is about all states: it cannot stand in a rule"},
        Wrong{"var z: real(3,9);", 8,
              "real numbers are not supported: the state would not be finite"},
        Wrong{"ruleset i: 0..1 do function h(): boolean; begin end; end", 20,
              "'end' of the ruleset that begins at line 5 is expected here, not 'function'"}));

INSTANTIATE_TEST_SUITE_P(
    Names, MurphiError,
    testing::Values(
        Wrong{"rule bb := true; end", 6, "'bb' is not known here; did you mean 'b'?"},
        Wrong{"var x: boolean;", 5, "'x' is declared already, at line 2"},
        Wrong{"type T: enum {blue, red};", 21, "'red' is declared already, at line 1"},
        Wrong{"type T: record i: 0..1; i: boolean; end;", 25, "the record has a field 'i' already"},
        Wrong{"var z: x;", 8, "a type is needed here, but 'x' is a variable"},
        Wrong{"rule x := E; end", 11, "a value is needed here, but 'E' is a type"},
        Wrong{"rule b := f; end", 11,
              "a value is needed here, but 'f' is a function: its arguments in parentheses are "
              "missing"},
        Wrong{"rule b := unheard(); end", 11, "'unheard' is not known here"},
        Wrong{"rule x(1); end", 6, "a function is needed here, but 'x' is a variable"},
        Wrong{"rule b := r.ff; end", 13, "the record has no field 'ff'; did you mean 'f'?"},
        Wrong{"rule b := x.f; end", 13, "only records have fields, but this is a number"},
        Wrong{"rule x := x[0]; end", 12, "only arrays have elements, but this is a number"}));

INSTANTIATE_TEST_SUITE_P(
    Types, MurphiError,
    testing::Values(
        Wrong{"rule x := b; end", 11, "this is a boolean, but what it is assigned to is a number"},
        Wrong{"rule e := 1; end", 11,
              "this is a number, but what it is assigned to is of type 'E'"},
        Wrong{"rule r := a; end", 11,
              "this is an array, but what it is assigned to is of type 'R'"},
        Wrong{"invariant e < e", 13, "only numbers have an order, but this is of type 'E'"},
        Wrong{"invariant s = e", 13,
              "these cannot be compared: the left side is of type 'S' and the right side of type "
              "'E'"},
        Wrong{"invariant x", 11, "the property must be a boolean, but this is a number"},
        Wrong{"rule x ==> end", 6, "the guard must be a boolean, but this is a number"},
        Wrong{"rule x := s + 1; end", 11,
              "the left operand must be a number, but this is of type 'S'"},
        Wrong{"rule x := 1 & b; end", 15,
              "a number, as on the left, is needed here, but this is a boolean"},
        Wrong{"rule e := red & green; end", 11,
              "a boolean or a number is needed here, but this is of type 'E'"},
        Wrong{"rule x := x ^ b; end", 15, "a number is needed here, but this is a boolean"},
        Wrong{"rule b := b && 1; end", 16, "a boolean is needed here, but this is a number"},
        Wrong{"rule a[b] := 0; end", 8, "the index must be a number, but this is a boolean"},
        Wrong{"rule if x then end; end", 9,
              "the condition must be a boolean, but this is a number"},
        Wrong{"rule while r do end; end", 12,
              "the condition of the loop must be a boolean, but this is of type 'R'"},
        Wrong{"rule switch r end; end", 13,
              "a simple value is needed here, but this is of type 'R'"},
        Wrong{"rule switch x case red: end; end", 20,
              "this case is of type 'E', but the switch is about a value that is a number"},
        Wrong{"rule b := isundefined(r); end", 23,
              "isundefined is about a simple variable, but this is of type 'R'"},
        Wrong{"rule b := isundefined(!b); end", 23,
              "the argument of isundefined must be a variable or a part of one"},
        Wrong{"rule x := b ? 1 : red; end", 19,
              "both results of '?:' must be of one type, but one is a number and the other of type "
              "'E'"},
        Wrong{"rule for i: R do end; end", 13,
              "a counter must be of a simple type, but this is of type 'R'"},
        Wrong{"var z: array [R] of boolean;", 15,
              "the index of an array must be of a simple type, but this is of type 'R'"},
        Wrong{"type U: union {E, boolean};", 19,
              "the members of a union are enumerations and scalarsets, but this is a boolean"}));

INSTANTIATE_TEST_SUITE_P(
    Constants, MurphiError,
    testing::Values(
        Wrong{"const M: x;", 10, "'x' is a variable: a constant is needed"},
        Wrong{"const M: f();", 10, "the value of a constant must be constant"},
        Wrong{"var z: 5..3;", 8, "the upper bound 3 of this range is less than its lower bound 5"},
        Wrong{"var z: 0..true;", 11,
              "the upper bound of a range must be a number, but this is a boolean"},
        Wrong{"var z: 0..1/0;", 12, "the upper bound of a range must be constant"},
        Wrong{"type T: scalarset(0);", 19, "the size of a scalarset must be at least 1, not 0"},
        Wrong{"type T: enum {};", 9, "an enumeration without values is of no use: give it a value"},
        Wrong{"rule for i := 0 to 3 by 0 do end; end", 25, "the step must not be 0"},
        Wrong{"rule for i := 0 to 3 by -1 do end; end", 25, "steps of -1 never lead from 0 to 3"},
        Wrong{"ruleset i := 0 to x do rule end; end", 19,
              "'x' is a variable: a constant is needed"}));

INSTANTIATE_TEST_SUITE_P(
    Changes, MurphiError,
    testing::Values(
        Wrong{"rule N := 1; end", 6, "the left side of ':=' cannot be changed: 'N' is a constant"},
        Wrong{"rule for i: 0..1 do i := 0; end; end", 21,
              "the left side of ':=' cannot be changed: 'i' is a parameter or counter"},
        Wrong{"ruleset i: 0..1 do rule clear i; end; end", 31,
              "what is cleared cannot be changed: 'i' is a parameter or counter"},
        Wrong{"procedure h(q: R); begin q.f := true; end", 26,
              "the left side of ':=' cannot be changed: 'q' is a parameter that is not 'var'"},
        Wrong{"rule alias q: x + y do q := 1; end; end", 24,
              "the left side of ':=' cannot be changed: 'q' is a parameter or counter"},
        Wrong{"rule p(1, 2); end", 11,
              "the argument of a 'var' parameter must be a variable or a part of one"},
        Wrong{"rule p(1, N); end", 11,
              "the argument of a 'var' parameter cannot be changed: 'N' is a constant"},
        Wrong{"rule g() ==> end", 6, "'g' changes the state, which a guard or property must not"},
        Wrong{"invariant forall i: S do g() end", 26,
              "'g' changes the state, which a guard or property must not"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, MurphiError,
    testing::Values(
        Wrong{"rule p(1); end", 6, "'p' takes 2 arguments, not 1"},
        Wrong{"rule p(b, x); end", 8, "the argument must be a number, but this is a boolean"},
        Wrong{"rule x := p(1, x); end", 11,
              "'p' is a procedure: it has no result that could be used"},
        Wrong{"rule p(1, a[0]); end", 12,
              "the argument of a 'var' parameter must be of its very type: the parameter is a "
              "number, but this is a "
              "number"},
        Wrong{"function h(): boolean; begin return; end", 30,
              "the result of the function must stand after 'return'"},
        Wrong{"function h(): boolean; begin return 1; end", 37,
              "this is a number, but the result of the function is a boolean"},
        Wrong{"procedure h(); begin return 1; end", 29,
              "a procedure has no result: nothing can stand after 'return'"},
        Wrong{"rule return 1; end", 13, "a rule has no result: nothing can stand after 'return'"},
        Wrong{"procedure h(i: 0..1; i: boolean); begin end", 22,
              "'i' is declared already, at line 5"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, MurphiError,
    testing::Values(Wrong{"var z: array [0..65535] of 0..255;", 5,
                          "with this variable a state has 589852 bits in 65547 parts, but 524288 "
                          "bits in 16777216 parts are the "
                          "most that is supported"},
                    Wrong{"type T: array [0..99999999] of boolean;", 9,
                          "a value of this type has more than 16777216 simple parts"},
                    Wrong{"ruleset i: 0..9999999 do rule end; end", 9,
                          "a parameter has at most 1048576 values"},
                    Wrong{"ruleset i: 0..99999; j: 0..99999 do rule end; end", 22,
                          "with this parameter a rule has more than 4294967296 instances"},
                    Wrong{"var z: 0-9223372036854775807..9223372036854775807;", 8,
                          "this range has too many values: 2^63 are the most"}));

TEST_P(MurphiError, NamesThePlace) {
  const Wrong& wrong = GetParam();
  const auto error =
      caught([&] { read_murphi("some.m", fmt::format("{}{}", kBegin, wrong.line), {}); });
  ASSERT_TRUE(error) << "accepted: " << wrong.line;
  EXPECT_EQ(error->fault(), Fault::model);
  const std::string sentence(error->what(), std::string_view(error->what()).find('\n'));
  EXPECT_EQ(sentence, fmt::format("some.m:5:{}: {}", wrong.column, wrong.why));
}

TEST(MurphiError, ShowsTheLineAlsoInFilesWithOtherLineEnds) {
  const auto error =
      caught([] { read_murphi("some.m", "var x: boolean;\r-- y\r\ninvariant z;\n", {}); });
  ASSERT_TRUE(error);
  EXPECT_STREQ(
      error->what(),
      "some.m:3:11: 'z' is not known here; did you mean 'x'?\n  invariant z;\n            ^");
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
