#include "ltl/parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "ltl/operator_tokens.h"

namespace spillway::ltl {

Formula Parser::parse() {
  if (now().kind == TokenKind::end) refuse(now(), "the formula is empty");
  Formula formula = binary(1);
  if (now().is_sign(")")) refuse(now(), "')' without '('");
  if (now().kind != TokenKind::end) refuse_operator();
  return formula;
}

void Parser::refuse(const Token& at, std::string message) const {
  throw BadFormula{at.from, std::max(at.to, at.from + 1), std::move(message)};
}

// What follows an operand is no operator.
void Parser::refuse_operator() const {
  refuse(now(), fmt::format("an operator was expected here, and not {}{}", shown(now()),
                            meant(now().text)));
}

// Formulas that are too deep are refused, so that nobody who walks through one needs much stack.
Formula Parser::checked(const Formula& formula, const Token& at) const {
  if (formula.depth() > kMostDepth)
    refuse(at, fmt::format("the formula is nested more than {} operators deep; split it, or use "
                           "parentheses to balance it",
                           kMostDepth));
  return formula;
}

Formula Parser::binary(int weakest) {
  if (++depth_ > kMostDepth)
    refuse(now(),
           fmt::format("parentheses and operators are nested more than {} deep", kMostDepth));
  Formula left = operand();
  for (;;) {
    const Token& at = now();
    const Binary* op = binary_operator(at);
    if (op == nullptr || op->strength < weakest) break;
    ++at_;
    if (!starts_operand(now())) refuse(at, fmt::format("'{}' has nothing on its right", at.text));
    const Formula right = binary(op->to_the_right ? op->strength : op->strength + 1);
    left = checked(Formula::binary(op->op, left, right), at);
  }
  --depth_;
  return left;
}

bool Parser::starts_operand(const Token& token) const {
  if (token.kind == TokenKind::end) return false;
  if (token.kind != TokenKind::sign)
    return atoms_.is_bound(token) || binary_operator(token) == nullptr;
  return is_one_of(token, {"(", "!", "~", "[]", "<>", "()", "-"});
}

std::vector<Operator> Parser::prefixes() const {
  const Token& token = now();
  if (token.kind == TokenKind::sign) {
    if (token.text == "!" || token.text == "~") return {Operator::negation};
    if (token.text == "[]") return {Operator::globally};
    if (token.text == "<>") return {Operator::finally};
    if (token.text == "()") return {Operator::next};
    return {};
  }
  if (token.kind != TokenKind::word || atoms_.is_bound(token)) return {};
  if (is_keyword(token, {"not"})) return {Operator::negation};
  if (token.text.find_first_not_of("XFG") != std::string_view::npos) return {};
  if (AtomCutter::continues_atom(after())) return {};
  if (token.text.size() > 1 && !starts_operand(after())) return {};
  std::vector<Operator> found;
  for (const char c : token.text)
    found.push_back(c == 'X' ? Operator::next : c == 'F' ? Operator::finally : Operator::globally);
  return found;
}

Formula Parser::operand() {
  if (!prefixes().empty()) return prefixed();
  const Token& token = now();
  if (token.is_sign("(") && !is_atom_group()) return group();
  if (token.kind == TokenKind::end) refuse(token, "something is missing at the end");
  if (!starts_operand(token)) {
    if (token.is_sign(")")) refuse(token, "something is missing before ')'");
    if (const Binary* op = binary_operator(token))
      refuse(token, fmt::format("'{}' has nothing on its left{}", op->spelling,
                                token.kind == TokenKind::word
                                    ? fmt::format("; a variable of that name is written {{{}}}",
                                                  op->spelling)
                                    : ""));
    refuse(token, fmt::format("a formula cannot begin with {}", shown(token)));
  }
  return atom();
}

// A run of prefix operators, without recursion.
Formula Parser::prefixed() {
  std::vector<std::pair<Operator, Token>> operators;
  for (auto found = prefixes(); !found.empty(); found = prefixes()) {
    const Token token = now();
    for (const Operator op : found) operators.emplace_back(op, token);
    ++at_;
    if (!starts_operand(now()))
      refuse(token, fmt::format(
                        "'{}' has nothing on its right{}", token.text,
                        token.kind == TokenKind::word
                            ? fmt::format("; a variable of that name is written {{{}}}", token.text)
                            : ""));
  }
  Formula formula = operand();
  for (std::size_t i = operators.size(); i-- > 0;)
    formula = checked(Formula::unary(operators[i].first, formula), operators[i].second);
  return formula;
}

Formula Parser::group() {
  const Token opening = now();
  ++at_;
  if (now().is_sign(")")) refuse(opening, "nothing stands in these parentheses");
  Formula formula = binary(1);
  if (now().kind == TokenKind::end) refuse(opening, "'(' without ')'");
  if (!now().is_sign(")")) refuse_operator();
  ++at_;
  return formula;
}

// Whether a group in parentheses, at the current token, is the beginning of an atom.
bool Parser::is_atom_group() const {
  return AtomCutter::continues_atom(tokens_[atoms_.after_group(at_)]);
}

Formula Parser::atom() {
  const AtomCutter::Cut cut = atoms_.cut(at_);
  at_ = cut.end;
  return cut.constant ? Formula::constant(*cut.constant) : Formula::atom(cut.proposition);
}

}  // namespace spillway::ltl
