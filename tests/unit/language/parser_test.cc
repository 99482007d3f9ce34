// The tree of Murphi text: what binds what, and how generous the parser is.
#include "language/murphi/parser.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "language/murphi/lexer.h"
#include "unit/caught.h"

namespace spillway::murphi {
namespace {

ModelNode parse(std::string_view text) {
  Source source("m", text);
  ModelNode model;
  try {
    model = Parser(source, split(source, true)).model();
  } catch (const GivenUp&) {
  }
  source.throw_errors();
  return model;
}

// An expression with all its parentheses.
std::string shown(const Expression& e) {
  static const std::unordered_map<Form, const char*> signs = {
      {Form::add, "+"},          {Form::subtract, "-"}, {Form::multiply, "*"},
      {Form::divide, "/"},       {Form::equal, "="},    {Form::less, "<"},
      {Form::and_, "&"},         {Form::or_, "|"},      {Form::xor_, "^"},
      {Form::logical_and, "&&"}, {Form::implies, "->"}, {Form::shift_left, "<<"},
      {Form::negate, "-"},       {Form::bit_not, "~"},  {Form::logical_not, "!"}};
  switch (e.form) {
    case Form::number: return std::to_string(e.value);
    case Form::name: return e.name.text;
    case Form::field: return fmt::format("{}.{}", shown(*e.operands[0]), e.name.text);
    case Form::element: return fmt::format("{}[{}]", shown(*e.operands[0]), shown(*e.operands[1]));
    case Form::conditional:
      return fmt::format("({} ? {} : {})", shown(*e.operands[0]), shown(*e.operands[1]),
                         shown(*e.operands[2]));
    default: break;
  }
  if (e.operands.size() == 1) return fmt::format("({}{})", signs.at(e.form), shown(*e.operands[0]));
  std::string result = "(" + shown(*e.operands[0]);
  for (std::size_t i = 1; i < e.operands.size(); ++i)
    result += fmt::format(" {} {}", signs.at(e.form), shown(*e.operands[i]));
  return result + ")";
}

struct Binding {
  const char* text;
  const char* meaning;
};

class Precedence : public testing::TestWithParam<Binding> {};
INSTANTIATE_TEST_SUITE_P(
    Of, Precedence,
    testing::Values(Binding{"a + b * c", "(a + (b * c))"}, Binding{"a - b - c", "((a - b) - c)"},
                    Binding{"!a = b", "(!(a = b))"}, Binding{"a = !b = c", "(a = (!(b = c)))"},
                    Binding{"!a & b", "((!a) & b)"}, Binding{"a & b & c", "(a & b & c)"},
                    Binding{"a & b && c", "((a & b) && c)"}, Binding{"a | b & c", "(a | (b & c))"},
                    Binding{"a | b ^ c & d", "(a | (b ^ (c & d)))"},
                    Binding{"a -> b | c", "(a -> (b | c))"},
                    Binding{"a -> b ? c : d", "((a -> b) ? c : d)"},
                    Binding{"a ? b : c ? d : e", "(a ? b : (c ? d : e))"},
                    Binding{"a + b << c = d", "(((a + b) << c) = d)"},
                    Binding{"-a * b", "((-a) * b)"}, Binding{"~a + - -b", "((~a) + (-(-b)))"},
                    Binding{"a[i + 1].f[j] < 3", "(a[(i + 1)].f[j] < 3)"}));

TEST_P(Precedence, IsThatOfMurphi) {
  const ModelNode model = parse(fmt::format("invariant {}", GetParam().text));
  ASSERT_EQ(model.items.size(), 1u);
  EXPECT_EQ(shown(*model.items[0].rule->guard), GetParam().meaning);
}

TEST(Parser, SemicolonsMayBeMissingOrDoubled) {
  for (const char* text :
       {"var x: boolean; startstate x := true; end; rule x := !x; end;",
        "var x: boolean startstate begin x := true end rule x ==> begin x := !x end",
        ";;var;x: boolean;; ; startstate begin;; x := true;; end;; rule x ==> ; begin x := "
        "!x;;end;;",
        "VAR x: BOOLEAN; StartState Begin x := TRUE EndStartState Rule x ==> x := !x EndRule"}) {
    const ModelNode model = parse(text);
    ASSERT_EQ(model.items.size(), 3u) << text;
    EXPECT_EQ(model.items[1].rule->body.size(), 1u) << text;
    EXPECT_EQ(model.items[2].rule->body.size(), 1u) << text;
  }
}

TEST(Parser, AGuardIsToldFromAStatement) {
  const auto guard = [](const char* text) { return parse(text).items[0].rule->guard != nullptr; };
  EXPECT_TRUE(guard("rule forall i := 0 to 3 do a[i] end ==> x := 1; end"));
  EXPECT_TRUE(guard("rule \"n\" a ==> end"));
  EXPECT_FALSE(guard("rule x := 1; end"));
  EXPECT_FALSE(guard("rule p(x); end rule a ==> end"));
  EXPECT_FALSE(guard("rule begin end rule a ==> end"));
}

TEST(Parser, NamesThatOneDialectKnowsAreNamesInTheOther) {
  EXPECT_EQ(parse("var cover, choose: boolean; union: 0..1; rule cover := choose; union := 1 end")
                .items.size(),
            3u);
}

TEST(Parser, StringsOfPropertiesStandOnEitherSide) {
  const ModelNode model =
      parse("invariant \"a\" x; invariant x \"b\"; assert x \"c\"; cover \"d\" x");
  const char* expected[] = {"a", "b", "c", "d"};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(model.items[i].rule->name, expected[i]);
  EXPECT_EQ(model.items[3].rule->property, PropertyForm::cover);
}

TEST(Parser, LongChainsAreFlat) {
  std::string text = "invariant a";
  for (int i = 0; i < 20'000; ++i) text += i % 2 == 0 ? " & a" : "\n& a";
  EXPECT_EQ(parse(text).items[0].rule->guard->operands.size(), 20'001u);
}

TEST(Parser, DeepNestingIsRefusedRatherThanOverflowingTheStack) {
  const auto repeated = [](std::string_view part) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += part;
    return text;
  };
  for (const std::string& text :
       {"invariant " + repeated("("), "invariant " + repeated("!"), "invariant " + repeated("- "),
        "invariant a" + repeated("+1"), "invariant a" + repeated("[0]"),
        "invariant a" + repeated(".b"), "invariant " + repeated("a ? "),
        "rule " + repeated("if a then "), repeated("ruleset i: T do "),
        "var x: " + repeated("array [0..1] of "), "var x: " + repeated("record a: "),
        "invariant " + repeated("forall i := 1+1+1 to "), "invariant " + repeated("f("),
        "rule " + repeated("alias a: b do ")}) {
    const auto error = caught([&] { parse(text); });
    ASSERT_TRUE(error) << text.substr(0, 40);
    EXPECT_NE(std::string(error->what()).find("levels of nesting"), std::string::npos)
        << error->what();
  }
}

}  // namespace
}  // namespace spillway::murphi
