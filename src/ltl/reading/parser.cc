#include "ltl/reading/parser.h"

#include <string_view>

namespace spillway::ltl {

Formula Parser::checked(const Formula& formula, const Token& at) const {
  limit_depth(formula.depth(), at);
  return formula;
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
  if (AtomCutter::continues_atom(after(1))) return {};
  if (token.text.size() > 1 && !starts_operand(after(1))) return {};
  std::vector<Operator> found;
  for (const char c : token.text)
    found.push_back(c == 'X' ? Operator::next : c == 'F' ? Operator::finally : Operator::globally);
  return found;
}

Formula Parser::operand() {
  if (!prefixes().empty()) return prefixed();
  if (now().is_sign("(") && !is_atom_group()) return group();
  need_operand({")"});
  const AtomCutter::Cut cut = read_atom();
  return cut.constant ? Formula::constant(*cut.constant) : Formula::atom(cut.proposition);
}

// A run of prefix operators, without recursion.
Formula Parser::prefixed() {
  std::vector<std::pair<Operator, Token>> operators;
  for (auto found = prefixes(); !found.empty(); found = prefixes()) {
    const Token token = now();
    for (const Operator op : found) operators.emplace_back(op, token);
    ++at_;
    need_operand_of(token);
  }
  Formula formula = operand();
  for (std::size_t i = operators.size(); i-- > 0;)
    formula = checked(Formula::unary(operators[i].first, formula), operators[i].second);
  return formula;
}

}  // namespace spillway::ltl
