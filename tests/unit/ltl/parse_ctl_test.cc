#include "ltl/reading/parse_ctl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace spillway::ltl {
namespace {

// Every operator with its operands in parentheses.
std::string shown(const CtlFormula& formula, const std::vector<Atom>& atoms) {
  std::vector<std::string> texts;
  for (const CtlNode& node : formula.nodes()) {
    const std::string paths = node.quantifier == Quantifier::none  ? ""
                              : node.quantifier == Quantifier::all ? "A"
                                                                   : "E";
    static const std::vector<std::string> kSigns = {
        "true", "false", "", "!", "&", "|", "->", "<->", "xor", "X", "F", "G", "U", "R", "W", "M"};
    const std::string sign = paths + kSigns[static_cast<std::size_t>(node.op)];
    if (node.op == Operator::proposition)
      texts.push_back(atoms[node.proposition].text);
    else if (operands(node.op) == 0)
      texts.push_back(sign);
    else if (operands(node.op) == 1)
      texts.push_back(fmt::format("{}({})", sign, texts[node.left]));
    else
      texts.push_back(fmt::format("({} {} {})", texts[node.left], sign, texts[node.right]));
  }
  return texts.back();
}

std::string understood(std::string_view formula, const std::vector<std::string>& bound = {}) {
  const ParsedCtl parsed = parse_ctl("--ctl", formula, bound);
  return shown(parsed.formula, parsed.atoms);
}

// "3: message"
std::string error(std::string_view formula) {
  try {
    return "understood as " + understood(formula);
  } catch (const DiagnosedError& refused) {
    const Diagnostic& first = refused.diagnostics().at(0);
    return fmt::format("{}: {}", first.where.at.column, first.message);
  }
}

TEST(ParseCtl, UnderstandsWhatIsWritten) {
  const std::vector<std::pair<std::string_view, std::string_view>> readings = {
      {"AG (req -> AF ack)", "AG((req -> AF(ack)))"},
      {"AG EF p", "AG(EF(p))"},
      {"AGEF p & q", "(AG(EF(p)) & q)"},
      {"A[p U q]", "(p AU q)"},
      {"E [ p & r U q | s ]", "((p & r) EU (q | s))"},
      {"A(p W q)", "(p AW q)"},
      {"E[p V E[q M r]]", "(p ER (q EM r))"},
      {"!EX !p", "!(EX(!(p)))"},
      {"A[] p -> E<> q", "(AG(p) -> EF(q))"},
      {"A G p and E X q", "(AG(p) & EX(q))"},
      {"A(G p) | E(F (p & q))", "(AG(p) | EF((p & q)))"},
      {"A[1] = 2 & EF A[i] > E", "(A[1] = 2 & EF(A[i] > E))"},
      {"A[x[1] = 2 U y(3) = U]", "(x[1] = 2 AU y(3) = U)"},
      {"AG = 3 | A = 1", "(AG = 3 | A = 1)"},
      {"EF {A[p U q]}", "EF(A[p U q])"},
      {"p xor q <-> true", "((p xor q) <-> true)"},
      {"not AF 0", "!(AF(false))"},
      {"AG (x + 1) * 2 = y", "AG((x + 1) * 2 = y)"},
      {"AX (p) & AX(p)", "(AX(p) & AX(p))"},
  };
  for (const auto& [written, reading] : readings)
    EXPECT_EQ(understood(written), reading) << written;
  EXPECT_EQ(understood("EF AG", {"AG"}), "EF(AG)");
  EXPECT_EQ(understood("A & E", {}), "(A & E)");
}

TEST(ParseCtl, SharesWhatOccursTwice) {
  EXPECT_EQ(parse_ctl("", "AF (p & q) | AG AF (p & q)", {}).formula.nodes().size(), 6U);
}

TEST(ParseCtl, SaysWhatIsWrongAndWhere) {
  const std::vector<std::pair<std::string_view, std::string_view>> errors = {
      {"", "1: the formula is empty"},
      {"G p",
       "1: 'G' needs a path quantifier: AG or EG; formulas without one are checked with --ltl"},
      {"AG (p -> F q)",
       "10: 'F' needs a path quantifier: AF or EF; formulas without one are checked with --ltl"},
      {"[] p", "1: '[]' needs a path quantifier: A[] or E[]"},
      {"p U q", "3: 'U' needs a path quantifier and brackets: A[p U q] or E[p U q]"},
      {"AG", "1: 'AG' has nothing on its right; a variable of that name is written {AG}"},
      {"A[p U q U r]",
       "9: a path quantifier has one temporal operator, and this is a second: write A[p U A[q U "
       "r]], or E"},
      {"A[p U ]", "5: 'U' has nothing on its right"},
      {"A[p U q", "2: '[' without ']'"},
      {"A(G p & F q)", "7: a path quantifier has one temporal operator: write A before each, or E"},
      {"AG (p & )", "7: '&' has nothing on its right"},
      {"p implies q", "3: an operator was expected here, and not 'implies'; did you mean '->'?"},
      {"AG p)", "5: ')' without '('"},
      {"& p", "1: '&' has nothing on its left"},
  };
  for (const auto& [written, message] : errors) EXPECT_EQ(error(written), message) << written;
}

TEST(ParseCtl, RefusesWhatIsTooDeep) {
  std::string deep;
  for (int i = 0; i < 1001; ++i) deep += "AX ";
  EXPECT_NE(error(deep + "p").find("more than 1000 operators deep"), std::string::npos);
  EXPECT_NE(error(std::string(1001, '(') + "p").find("'(' without ')'"), std::string::npos);
  EXPECT_NE(error(std::string(1001, '(') + "p" + std::string(1001, ')')).find("1000 deep"),
            std::string::npos);
}

TEST(Ctl, HasNegationsBeforePropositionsOnlyIfThatIsWanted) {
  const auto inside = [](std::string_view text) {
    const ParsedCtl parsed = parse_ctl("", text, {});
    return shown(with_negations_inside(parsed.formula), parsed.atoms);
  };
  EXPECT_EQ(inside("!AG (p -> AF q)"), "(true EU (p & (false ER !(q))))");
  EXPECT_EQ(inside("!A[p U q]"), "(!(p) ER !(q))");
  EXPECT_EQ(inside("!E[p W EX q]"), "(!(p) AM AX(!(q)))");
  EXPECT_EQ(inside("AG p"), "(false AR p)");
  EXPECT_EQ(inside("p <-> EX q"), "((p & EX(q)) | (!(p) & AX(!(q))))");
  EXPECT_EQ(inside("!(p xor !q)"), "((p & !(q)) | (!(p) & q))");
  EXPECT_EQ(inside("!!(p & !true)"), "(p & false)");
}

}  // namespace
}  // namespace spillway::ltl
