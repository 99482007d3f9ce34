#include "ltl/reading/parse.h"

#include <gtest/gtest.h>

#include "ltl/formula/formula.h"

namespace spillway::ltl {
namespace {

// The formula as it was understood, with atoms in quotes where they are no plain words.
std::string understood(std::string_view formula, const std::vector<std::string>& bound = {}) {
  const ParsedFormula parsed = parse("--ltl", formula, bound);
  return text(parsed.formula, parsed.names());
}

// "1:3: message"
std::string error(std::string_view formula) {
  try {
    return "understood as " + understood(formula);
  } catch (const DiagnosedError& refused) {
    const Diagnostic& first = refused.diagnostics().at(0);
    return std::to_string(first.where.at.line) + ":" + std::to_string(first.where.at.column) +
           ": " + first.message;
  }
}

struct Reading {
  std::string_view written, understood;
};

class Readings : public ::testing::TestWithParam<Reading> {};

TEST_P(Readings, AreUnderstood) {
  EXPECT_EQ(understood(GetParam().written), GetParam().understood);
}

INSTANTIATE_TEST_SUITE_P(
    Operators, Readings,
    ::testing::Values(Reading{"[] (p -> <> q)", "G (p -> F q)"}, Reading{"p V q", "p R q"},
                      Reading{"GF p & FG q", "G F p & F G q"}, Reading{"XX p", "X X p"},
                      Reading{"a /\\ b \\/ ~c => d <=> e", "a & b | !c -> d <-> e"},
                      Reading{"not a and b or c imply d", "!a & b | c -> d"},
                      Reading{"a U b U c", "a U (b U c)"}, Reading{"a -> b -> c", "a -> (b -> c)"},
                      Reading{"a xor b ^ c", "(a xor b) xor c"}, Reading{"() p", "X p"},
                      Reading{"a W b M c", "a W (b M c)"}, Reading{"true U 0", "true U false"},
                      Reading{"a U b & c U d | e", "a U b & c U d | e"}, Reading{"! ! p", "!!p"},
                      Reading{"F(p)&&G(q)", "F p & G q"}, Reading{"p # a remark\n & q", "p & q"}));

INSTANTIATE_TEST_SUITE_P(
    Atoms, Readings,
    ::testing::Values(Reading{"G (state[1] = waiting -> F state[1] = critical)",
                              "G (\"state[1] = waiting\" -> F \"state[1] = critical\")"},
                      Reading{"P_0.CS U c == 3", "\"P_0.CS\" U \"c == 3\""},
                      Reading{"G a[i+1] + 2 >= x", "G \"a[i+1] + 2 >= x\""},
                      Reading{"(x + 1) * 2 = y & p", "\"(x + 1) * 2 = y\" & p"},
                      Reading{"(x = 1 & y = 2) | z", "\"x = 1\" & \"y = 2\" | z"},
                      Reading{"(a | b) = c", "\"(a | b) = c\""},
                      Reading{"F forall i : node do st[i] = idle & x endforall & y",
                              "F \"forall i : node do st[i] = idle & x endforall\" & y"},
                      Reading{"exists i: n do forall j : n do p endforall endexists U q",
                              "\"exists i: n do forall j : n do p endforall endexists\" U q"},
                      Reading{"c ? a & b : d U e", "\"c ? a & b : d\" U e"},
                      Reading{"{X} U \"a | b\"", "\"X\" U \"a | b\""},
                      Reading{"GF = 3 & X < 2", "\"GF = 3\" & \"X < 2\""},
                      Reading{"{ p } & { q }", "p & q"}, Reading{"GF | p", "\"GF\" | p"},
                      Reading{"x = U U y = F", "\"x = U\" U \"y = F\""},
                      Reading{"isundefined(x[1]) | f()", "\"isundefined(x[1])\" | \"f()\""},
                      Reading{"-x < 3 & 1 < y", "\"-x < 3\" & \"1 < y\""},
                      Reading{"x = 1 U x  =  1", "\"x = 1\" U \"x = 1\""},
                      Reading{"a1==\"K\" <-> []<>a2==\"S\"", "{a1==\"K\"} <-> G F {a2==\"S\"}"}));

// A line ends with LF, CR LF or CR, for comments as for messages.
TEST(Parse, CommentsEndWithTheirLine) {
  for (const char* end : {"\n", "\r", "\r\n"}) {
    EXPECT_EQ(understood(std::string("p # a remark") + end + "& q"), "p & q");
    EXPECT_EQ(error(std::string("p # a remark") + end + "& q)"), "2:4: ')' without '('");
  }
  EXPECT_EQ(understood("x = # one\n 1 & y"), "\"x =      \n 1\" & y");
  EXPECT_EQ(understood("{x # 1}"), "\"x # 1\"");
}

TEST(Parse, WhatLanguagesTakeForCommentsIsRefused) {
  EXPECT_TRUE(error("x = 1 -- back").starts_with("1:7: '--' begins a comment"));
  EXPECT_TRUE(error("x = 1 --y & z").starts_with("1:7: '--' begins a comment"));
  EXPECT_TRUE(error("x = 1 // y").starts_with("1:7: '//' begins a comment"));
  EXPECT_TRUE(error("x = 1 /* y */").starts_with("1:7: '/*' begins a comment"));
  for (const std::string inside : {"a[0 /* y */] = 1", "(x /* y */) = 1", "a[0 // y\n] = 1",
                                   "exists i: 0..1 do x = 1 // y\n end", "x ? 1 : 2 /* y */"})
    EXPECT_NE(error(inside).find("begins a comment"), std::string::npos) << inside;
  EXPECT_EQ(understood("p /\\ q"), "p & q");
  EXPECT_TRUE(error("x#1 = 0").starts_with("1:2: a comment begins behind a blank"));
  EXPECT_EQ(understood("{x = 1 --y} <--> \"x#1\""), "\"x = 1 --y\" <-> \"x#1\"");
}

TEST(Parse, NumbersAreNoConditions) {
  for (const char* formula : {"G F (x & 2)", "G 2", "x ^ 12", "~3", "x | -2", "2 U x"})
    EXPECT_NE(
        error(formula).find("is a number and no condition; arithmetic stands in braces: {x & "),
        std::string::npos)
        << formula << ": " << error(formula);
  EXPECT_EQ(understood("1 & 2 = 2 | x2 & 0"), "true & \"2 = 2\" | x2 & false");
  EXPECT_EQ(understood("G {x & 2}"), "G \"x & 2\"");
  EXPECT_EQ(understood("G (x & 2) == 2"), "G \"(x & 2) == 2\"");
}

TEST(Parse, BoundNamesAreAtoms) {
  EXPECT_EQ(understood("G X", {"X"}), "G \"X\"");
  EXPECT_EQ(understood("GF & p", {"GF"}), "\"GF\" & p");
}

TEST(Parse, WhatIsPrintedIsReadAsTheSame) {
  for (const std::string_view written :
       {"a U (b -> c) & !(d xor F e)", "(a <-> b) <-> c", "a <-> (b <-> c)", "X (a M {b & c})",
        "(a -> b) -> c", "!(a & b) W G(a | b) R 1"}) {
    const ParsedFormula once = parse("x", written, {});
    const ParsedFormula twice = parse("x", text(once.formula, once.names()), {});
    EXPECT_EQ(once.formula, twice.formula) << written;
  }
}

TEST(Parse, AtomsHavePositions) {
  const ParsedFormula parsed = parse("--ltl", "G (p ->\n F x = 1) & p", {});
  ASSERT_EQ(parsed.atoms.size(), 2U);
  EXPECT_EQ(parsed.atoms[1].text, "x = 1");
  EXPECT_EQ(parsed.atoms[1].position.line, 2U);
  EXPECT_EQ(parsed.atoms[1].position.column, 4U);
  EXPECT_EQ(parsed.atoms[1].position.from, 11U);
}

TEST(Parse, ErrorsSayWhatIsMissing) {
  EXPECT_EQ(error(""), "1:1: the formula is empty");
  EXPECT_EQ(error("G"),
            "1:1: 'G' has nothing on its right; a variable of that name is written {G}");
  EXPECT_EQ(error("p &"), "1:3: '&' has nothing on its right");
  EXPECT_EQ(error("& p"), "1:1: '&' has nothing on its left");
  EXPECT_EQ(error("U & p"),
            "1:1: 'U' has nothing on its left; a variable of that name is written {U}");
  EXPECT_EQ(error("(p & q"), "1:1: '(' without ')'");
  EXPECT_EQ(error("p & q)"), "1:6: ')' without '('");
  EXPECT_EQ(error("a[1 & q"), "1:2: '[' without ']'");
  EXPECT_EQ(error("(a]"), "1:3: ']' without '['");
  EXPECT_EQ(error("\"p"), "1:1: this quote has no end");
  EXPECT_EQ(error("{p"), "1:1: '{' without '}'");
  EXPECT_EQ(error("x = "), "1:3: '=' has nothing on its right");
  EXPECT_EQ(error("forall i : n do p"), "1:1: 'forall' has no end: write endforall");
  EXPECT_EQ(error("a ? b"), "1:3: '?' without ':'");
}

TEST(Parse, ErrorsSuggestOperators) {
  EXPECT_EQ(error("p until q"),
            "1:3: an operator was expected here, and not 'until'; did you mean 'U'?");
  EXPECT_EQ(error("p implis q"),
            "1:3: an operator was expected here, and not 'implis'; did you mean '->'?");
  EXPECT_EQ(error("x <> y"),
            "1:3: an operator was expected here, and not '<>'; did you mean '!='?");
  EXPECT_EQ(error("(p q)"), "1:4: an operator was expected here, and not 'q'");
}

TEST(Parse, FormulasAreNotTooDeepForAnybody) {
  EXPECT_TRUE(error(std::string(5000, '(')).ends_with("'(' without ')'"));
  EXPECT_TRUE(error(std::string(5000, '(') + "p" + std::string(5000, ')')).ends_with(" deep"));
  EXPECT_NE(error(std::string(5000, '!') + "p").find("nested more than"), std::string::npos);
  std::string chain = "p";
  for (int i = 0; i < 3000; ++i) chain += " & p";
  EXPECT_NE(error(chain).find("nested more than"), std::string::npos);
  std::string untils = "p";
  for (int i = 0; i < 3000; ++i) untils += " U p";
  EXPECT_NE(error(untils).find("nested more than"), std::string::npos);
}

TEST(Parse, PropositionsAreAsManyAsALetterHas) {
  std::string many = "p0";
  for (int i = 1; i < 64; ++i) many += " | p" + std::to_string(i);
  EXPECT_EQ(parse("x", many, {}).atoms.size(), 64U);
  EXPECT_NE(error(many + " | p64").find("more than 64 different propositions"), std::string::npos);
}

TEST(FormulaFile, HasNamesCommentsAndLongFormulas) {
  const std::string file =
      "# all of them\n\nsafe: G !bad  # never\nlive : G (p ->\n    # soon\n  F q)\n\nF done\n"
      "\"two words\": X p\n";
  const auto formulas = read_formulas("props.ltl", file, Lines::formulas);
  ASSERT_EQ(formulas.size(), 4U);
  EXPECT_EQ(formulas[0].name, "safe");
  EXPECT_EQ(formulas[0].text, "G !bad");
  EXPECT_EQ(formulas[0].line, 3U);
  EXPECT_TRUE(formulas[0].has_name);
  const ParsedFormula live = parse("props.ltl", file, formulas[1], {});
  EXPECT_EQ(text(live.formula, live.names()), "G (p -> F q)");
  EXPECT_EQ(live.atoms[1].position.line, 6U);
  EXPECT_EQ(formulas[2].name, "F done");
  EXPECT_FALSE(formulas[2].has_name);
  EXPECT_EQ(formulas[3].name, "two words");
}

TEST(FormulaFile, HasLinesThatEndInAnyWay) {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    const std::string file = "a: p # one" + end + "  & q" + end + "# b: p" + end + "c: q";
    const auto formulas = read_formulas("f", file, Lines::formulas);
    ASSERT_EQ(formulas.size(), 2U);
    EXPECT_EQ(understood(formulas[0].text), "p & q");
    EXPECT_EQ(formulas[1].name, "c");
    EXPECT_EQ(formulas[1].line, 4U);
  }
}

TEST(FormulaFile, ASignOfAComment) {
  const auto formulas = read_formulas("f", "a: {x\n # y }\n # b\n", Lines::formulas);
  ASSERT_EQ(formulas.size(), 1U);
  EXPECT_EQ(understood(formulas[0].text), "\"x\n # y\"");
}

TEST(FormulaArgument, IsOneFormulaWhateverItsLines) {
  const auto one = [](std::string_view text) {
    const auto formulas = read_formulas("--ltl", text, Lines::one_formula);
    EXPECT_EQ(formulas.size(), 1U);
    return formulas.at(0).name + " / " + understood(formulas.at(0).text);
  };
  EXPECT_EQ(one("# first\n f: G p # second\n& q\n# last"), "f / G p & q");
  EXPECT_EQ(one("G p # second\n& q"), "G p & q / G p & q");
  EXPECT_EQ(one("\"a b\" : p |\r\nq"), "a b / p | q");
  EXPECT_TRUE(read_formulas("--ltl", "# nothing\n\n", Lines::one_formula).empty());
}

std::string file_error(std::string_view text) {
  try {
    read_formulas("f", text, Lines::formulas);
  } catch (const DiagnosedError& refused) {
    return refused.what();
  }
  return "read";
}

TEST(FormulaFile, ErrorsNameTheLine) {
  EXPECT_EQ(file_error("a: p\nb: q\na: r\n"), "f:3:1: there is a formula 'a' already, in line 1");
  EXPECT_EQ(file_error(" p\n"),
            "f:1:2: a line that begins with a blank continues a formula, and there is none");
  EXPECT_EQ(file_error("a: p\nb:\n"), "f:2:3: 'b' is empty");
}

}  // namespace
}  // namespace spillway::ltl
