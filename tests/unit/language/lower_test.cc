// Programs that Murphi models become.
#include <gtest/gtest.h>

#include "language/murphi/murphi.h"

namespace spillway {
namespace {

using program::Do;
using program::Op;

MurphiModel read(std::string_view text, MurphiDialect dialect = MurphiDialect::automatic) {
  return read_murphi("some.m", text, {.dialect = dialect, .constants = {}});
}

TEST(Types, SymbolsHaveIntegersOfTheirOwn) {
  const MurphiModel model = read(
      "type A: enum {a1, a2}; S: scalarset(3); U: union {A, S}; V: union {U, enum {c}};\n"
      "var a: A; s: S; u: U; v: V; n: 0..1; t: scalarset(2);");
  const auto& variables = model.program.variables;
  EXPECT_EQ(variables[0].type->domain.intervals(), (std::vector<program::Interval>{{0, 1}}));
  EXPECT_EQ(variables[1].type->domain.intervals(), (std::vector<program::Interval>{{2, 4}}));
  EXPECT_EQ(variables[2].type->domain.intervals(),
            (std::vector<program::Interval>{{0, 1}, {2, 4}}));
  EXPECT_EQ(variables[3].type->domain.intervals(),
            (std::vector<program::Interval>{{0, 1}, {2, 4}, {5, 5}}));
  EXPECT_EQ(variables[1].type->names[0].names, (std::vector<std::string>{"S_1", "S_2", "S_3"}));
  ASSERT_EQ(model.program.symmetries.size(), 2u);
  EXPECT_EQ(model.program.symmetries[0].name, "S");
  EXPECT_EQ(model.program.symmetries[1].name, "Scalarset");
}

TEST(Constants, AreFoldedAndCanBeGivenFromOutside) {
  const char* text = "const N: 2; M: N * 3 - 1; var x: 0..M; y: 0 .. true ? N : 1 / 0;";
  EXPECT_EQ(read(text).program.variables[0].type->domain.intervals()[0].high, 5);
  const MurphiModel model = read_murphi("some.m", text, {.dialect = {}, .constants = {{"N", 7}}});
  EXPECT_EQ(model.program.variables[0].type->domain.intervals()[0].high, 20);
  EXPECT_EQ(model.program.variables[1].type->domain.intervals()[0].high, 7);
}

TEST(Rules, HaveOneParameterForEachQuantifierAround) {
  const MurphiModel model = read(
      "type T: scalarset(2); var x: 0..9; ruleset i: T; j := 1 to 5 by 2 do startstate x := j; "
      "end;\n"
      "ruleset k: boolean do rule \"r\" k ==> x := 0; end; invariant x < 9; end; end;");
  ASSERT_EQ(model.program.starts.size(), 1u);
  EXPECT_EQ(model.program.starts[0].header.name, "startstate at line 1");
  EXPECT_EQ(model.program.starts[0].header.parameters[1].values,
            (std::vector<program::Value>{1, 3, 5}));
  ASSERT_EQ(model.program.rules.size(), 1u);
  EXPECT_EQ(model.program.rules[0].header.name, "r");
  EXPECT_EQ(model.program.rules[0].header.parameters.size(), 3u);
  EXPECT_EQ(model.program.rules[0].guard->op, Op::slot);
  ASSERT_EQ(model.program.properties.size(), 1u);
  EXPECT_EQ(model.program.properties[0].header.name, "invariant at line 2");
  EXPECT_EQ(model.program.properties[0].header.parameters.size(), 3u);
}

TEST(Rules, EachInstanceOfLivenessIsAProperty) {
  const MurphiModel model =
      read("var x: 0..2; ruleset i: 0..2; b: boolean do liveness \"l\" b -> x = i; end");
  ASSERT_EQ(model.program.properties.size(), 6u);
  EXPECT_EQ(model.program.properties[3].header.parameters[0].values,
            (std::vector<program::Value>{1}));
  EXPECT_EQ(model.program.properties[3].header.parameters[1].values,
            (std::vector<program::Value>{1}));
}

TEST(Aliases, OfFixedPlacesAreWrittenOut) {
  const MurphiModel model = read(
      "type T: scalarset(2); var a: array [T] of record f: boolean; end; t: T;\n"
      "ruleset i: T do alias q: a[i]; c: 3 do rule q.f ==> q.f := c = 3; end; end; end;");
  const program::Rule& rule = model.program.rules.at(0);
  EXPECT_TRUE(rule.header.bindings.empty());
  ASSERT_EQ(rule.guard->op, Op::read);
  EXPECT_EQ(rule.guard->place->steps.size(), 2u);
  EXPECT_EQ(rule.body.at(0)->value->op, Op::literal);
}

TEST(Aliases, OfOtherPlacesAndValuesAreBoundWhereTheyAreDeclared) {
  const MurphiModel model = read(
      "var a: array [0..1] of 0..5; i: 0..1; alias q: a[i]; v: a[0] + 1 do rule q = v ==> i := 1; "
      "q := v; end; end;\n"
      "rule alias q: a[i] do i := 0; q := 1; end; end;");
  const program::Rule& first = model.program.rules.at(0);
  ASSERT_EQ(first.header.bindings.size(), 2u);
  EXPECT_EQ(first.header.bindings[0]->what, Do::bind_place);
  EXPECT_EQ(first.header.bindings[1]->what, Do::bind_value);
  const program::Rule& second = model.program.rules.at(1);
  ASSERT_EQ(second.body.size(), 3u);
  EXPECT_EQ(second.body[0]->what, Do::bind_place);
  EXPECT_EQ(second.header.frame.at(second.body[0]->slot).holds, program::Holds::reference);
}

TEST(Multisets, ElementsAreChosenOnlyIfTheyExist) {
  const MurphiModel model = read(
      "type M: record dst: 0..1; end; var net: multiset [3] of M; a: array [0..1] of boolean;\n"
      "choose i: net do alias m: net[i]; t: a[m.dst] do rule t ==> t := false; multisetremove(i, "
      "net); end; end; end;\n"
      "rule multisetcount(i: net, net[i].dst = 0) > 1 ==> multisetremovepred(i: net, true); end;\n"
      "rule var m: M; begin m.dst := 1; multisetadd(m, net); end;");
  const program::Rule& chosen = model.program.rules.at(0);
  EXPECT_EQ(chosen.header.parameters.at(0).values, (std::vector<program::Value>{0, 1, 2}));
  EXPECT_TRUE(chosen.header.bindings.empty());
  EXPECT_EQ(chosen.guard->op, Op::logical_and);
  ASSERT_EQ(chosen.body.size(), 3u);
  EXPECT_EQ(chosen.body[0]->what, Do::bind_place);
  EXPECT_EQ(chosen.body[2]->what, Do::bag_remove);
  EXPECT_EQ(model.program.rules.at(1).body.at(0)->what, Do::bag_remove_if);
  EXPECT_EQ(model.program.rules.at(2).body.at(1)->what, Do::bag_add);
}

TEST(Rules, WithALargerNumberWaitForThoseWithASmaller) {
  const MurphiModel model = read(
      "var x: 0..9; ruleset i: 0..1; j: 0..2 do rule 10 \"first\" x = i + j ==> x := 9; end; end;\n"
      "rule \"usual\" x = 9 ==> x := 0; end; rule 90 \"last\" x := 1; end");
  EXPECT_EQ(model.program.rules.at(0).guard->op, Op::equal);
  const program::Expr& usual = *model.program.rules.at(1).guard;
  ASSERT_EQ(usual.op, Op::logical_and);
  ASSERT_EQ(usual.operands[1]->op, Op::logical_not);
  EXPECT_EQ(usual.operands[1]->operands[0]->op, Op::exists);
  EXPECT_EQ(usual.operands[1]->operands[0]->operands[0]->op, Op::exists);
  EXPECT_EQ(model.program.rules.at(2).guard->op, Op::logical_and);
}

TEST(Expressions, QuantifiersAndLoopsMayHaveSeveralCounters) {
  const MurphiModel model = read(
      "var a: array [0..1] of array [0..2] of boolean;\n"
      "rule forall i: 0..1; j: 0..2 do a[i][j] end ==> for i: 0..1; j: 0..2 do a[i][j] := false; "
      "end; end");
  const program::Rule& rule = model.program.rules.at(0);
  EXPECT_EQ(rule.guard->operands.at(0)->op, Op::for_all);
  EXPECT_EQ(rule.body.at(0)->branches.at(0).body.at(0)->what, Do::loop_over);
}

TEST(Expressions, Shifts) {
  const MurphiModel model =
      read("var x: 0..9; rule x := x << -1; x := x >> 1; x := 1 << 70; x := 4 << -1; end");
  const program::Body& body = model.program.rules.at(0).body;
  EXPECT_EQ(body.at(0)->value->op, Op::shift_left);
  EXPECT_EQ(body.at(1)->value->op, Op::shift_right);
  ASSERT_EQ(body.at(2)->value->op, Op::literal);
  EXPECT_EQ(body.at(2)->value->value, 0) << "by more than there are bits: nothing is left";
  ASSERT_EQ(body.at(3)->value->op, Op::literal);
  EXPECT_EQ(body.at(3)->value->value, 2) << "by less than nothing: the other way";
}

TEST(Expressions, RecordsAndArraysAreComparedPartByPart) {
  const MurphiModel model = read(
      "type R: record f: boolean; a: array [0..3] of 0..1; end; var r, s: R; invariant r = s; "
      "invariant r != s;");
  const program::Expr& equal = *model.program.properties.at(0).condition;
  ASSERT_EQ(equal.op, Op::logical_and);
  EXPECT_EQ(equal.operands[0]->op, Op::conditional);
  EXPECT_EQ(equal.operands[1]->op, Op::for_all);
  EXPECT_EQ(model.program.properties.at(1).condition->op, Op::logical_not);
}

// A result has no place of its own, so a function has the comparison, one for each pair of types.
TEST(Expressions, ResultsAreComparedAsWholes) {
  const MurphiModel model = read(
      "type R: record a, b: 0..3; end; A: array [0..1] of R; var r: R; a: A;\n"
      "function f(r: R): R; begin return r; end; function g(a: A): A; begin return a; end;\n"
      "invariant f(r) = r; invariant r != f(r); invariant f(f(r)) = f(r); invariant g(a) != a;");
  const auto& properties = model.program.properties;
  const program::Expr& equal = *properties.at(0).condition;
  ASSERT_EQ(equal.op, Op::call);
  EXPECT_EQ(model.program.functions.at(equal.function).parameters, 2u);
  EXPECT_EQ(equal.arguments[0].value->op, Op::call);
  EXPECT_EQ(equal.arguments[1].value->op, Op::read);
  ASSERT_EQ(properties.at(1).condition->op, Op::logical_not);
  EXPECT_EQ(properties.at(1).condition->operands[0]->function, equal.function);
  EXPECT_EQ(properties.at(2).condition->function, equal.function);
  EXPECT_EQ(model.program.functions.size(), 4u);
}

TEST(Functions, CanBePassedNothing) {
  const MurphiModel model =
      read("var x: 0..3; procedure h(q: 0..3); begin end; rule h(UNDEFINED); x := undefined; end");
  const program::Rule& rule = model.program.rules.at(0);
  const program::Expr& argument = *rule.body.at(0)->value->arguments.at(0).value;
  ASSERT_EQ(argument.op, Op::read);
  EXPECT_EQ(rule.header.frame.at(argument.place->root).holds, program::Holds::value);
  EXPECT_EQ(rule.body.at(1)->what, Do::undefine);
}

TEST(Statements, SwitchComputesItsValueOnce) {
  const MurphiModel model =
      read("var x: 0..9; rule switch x + 1 case 1, 2: x := 0; case x: else x := 1; end; end");
  const program::Body& body = model.program.rules.at(0).body;
  ASSERT_EQ(body.size(), 2u);
  EXPECT_EQ(body[0]->what, Do::bind_value);
  ASSERT_EQ(body[1]->branches.size(), 3u);
  EXPECT_EQ(body[1]->branches[0].condition->op, Op::logical_or);
  EXPECT_EQ(body[1]->branches[2].condition, nullptr);
}

TEST(Statements, AssertionsAreProperties) {
  const MurphiModel model = read(
      "var x: boolean; rule assert x \"named\";\nassert x; assume x; error \"e\"; return; end");
  ASSERT_EQ(model.program.properties.size(), 3u);
  EXPECT_EQ(model.program.properties[0].header.name, "named");
  EXPECT_EQ(model.program.properties[1].header.name, "assert at line 2");
  const program::Body& body = model.program.rules.at(0).body;
  EXPECT_EQ(body.at(1)->property, 1u);
  EXPECT_EQ(body.at(2)->what, Do::discard_unless);
  EXPECT_EQ(body.at(3)->what, Do::require) << "an error statement is an assertion that never holds";
  EXPECT_EQ(body.at(3)->property, 2u);
  EXPECT_EQ(body.at(4)->what, Do::leave);
}

TEST(Statements, PutDoesNothing) {
  EXPECT_TRUE(read("var x: boolean; rule put \"x\"; put x; end").program.rules.at(0).body.empty());
}

TEST(Functions, ParametersAreTheFirstSlots) {
  const MurphiModel model = read(
      "type R: record f: 0..3; end; var r: R; x: 0..3;\n"
      "function h(var v: 0..3; q: R): 0..3; var l: 0..3; begin l := q.f; v := l; return h(v, q); "
      "end;\n"
      "rule x := h(x, r); end");
  const program::Function& h = model.program.functions.at(0);
  EXPECT_EQ(h.parameters, 2u);
  EXPECT_EQ(h.frame.at(0).holds, program::Holds::reference);
  EXPECT_EQ(h.frame.at(1).holds, program::Holds::value);
  EXPECT_EQ(h.frame.at(2).name, "l");
  const program::Expr& call = *model.program.rules.at(0).body.at(0)->value;
  EXPECT_TRUE(call.arguments.at(0).place);
  EXPECT_EQ(call.arguments.at(1).value->op, Op::read);
}

TEST(Dialects, Differ) {
  const char* text =
      "type R: record f: 0..3; end; var x, y: 0..3; r: R; procedure h(q: R); begin end;\n"
      "rule x := y; end";
  const MurphiModel rumur = read(text), cmurphi = read(text, MurphiDialect::cmurphi);
  EXPECT_FALSE(rumur.program.rules.at(0).body.at(0)->undefined_allowed);
  EXPECT_TRUE(cmurphi.program.rules.at(0).body.at(0)->undefined_allowed);
  EXPECT_EQ(cmurphi.program.functions.at(0).frame.at(0).holds, program::Holds::value);
  EXPECT_EQ(rumur.program.loop_limit, 0u);
  EXPECT_EQ(cmurphi.program.loop_limit, 1000u);
  const char* changing =
      "type R: record f: 0..3; end; var r: R; procedure h(q: R); begin r.f := q.f; end;";
  EXPECT_EQ(read(changing).program.functions.at(0).frame.at(0).holds, program::Holds::value);
  EXPECT_EQ(read(changing, MurphiDialect::cmurphi).program.functions.at(0).frame.at(0).holds,
            program::Holds::reference);
  const MurphiModel guessed =
      read("type E: enum {a}; U: union {E, enum {b}}; var x, y: U; rule x := y; end");
  EXPECT_TRUE(guessed.program.rules.at(0).body.at(0)->undefined_allowed);
}

TEST(Names, InnerOnesHideOuterOnes) {
  EXPECT_NO_THROW(
      read("type t: 0..1; var x: t; function f(t: boolean): t; begin return t ? 1 : 0; end;\n"
           "startstate var x: boolean; begin x := true; end;\n"
           "rule var i: boolean; begin for i: 0..1 do x := i; end; i := true; end"));
}

TEST(Warnings, TellWhatIsHardlyMeant) {
  const MurphiModel model = read(
      "const N: 1;\ntype T: 0..1;\nvar a, b, c, d: boolean;\nfunction f(): boolean; begin return "
      "true; end;\n"
      "startstate\na := c; d := true; end;\nrule \"n\" d & false ==> end;\nrule \"m\" 1 = 1 ==> if "
      "false then end; "
      "end");
  std::vector<std::string> texts;
  for (const Warning& warning : model.warnings) texts.push_back(warning.text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{
                "the constant 'N' is never used", "the type 'T' is never used",
                "the variable 'a' is written but never read", "the variable 'b' is never used",
                "the variable 'c' is read but never written", "the function 'f' is never called",
                "'n' can never fire: its guard is always false", "the guard of 'm' is always true",
                "the condition is always false"}));
}

}  // namespace
}  // namespace spillway
