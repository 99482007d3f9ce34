#include "ltl/reading/ctl_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ltl/reading/operator_tokens.h"

namespace spillway::ltl {
namespace {

Operator operator_of(char letter) {
  return letter == 'X' ? Operator::next : letter == 'F' ? Operator::finally : Operator::globally;
}

}  // namespace

CtlFormula CtlParser::parse() {
  const std::uint32_t root = whole({{")", "("}, {"]", "["}});
  SPILLWAY_CHECK(root == formula_.root());  // nothing stands within itself
  return std::move(formula_);
}

// What follows an operand is no operator of booleans.
void CtlParser::refuse_operator() const {
  const Binary* op = binary_operator(now());
  if (op != nullptr && is_temporal(op->op))
    refuse(now(),
           fmt::format("'{0}' needs a path quantifier and brackets: A[p {0} q] or E[p {0} q]",
                       now().text));
  FormulaTokens::refuse_operator();
}

std::uint32_t CtlParser::add(const CtlNode& node, const Token& at) {
  std::uint32_t depth = 1;
  if (operands(node.op) > 0) depth = depths_[node.left] + 1;
  if (operands(node.op) > 1) depth = std::max(depth, depths_[node.right] + 1);
  limit_depth(depth, at);
  const std::uint32_t number = formula_.add(node);
  if (number == depths_.size()) depths_.push_back(depth);
  return number;
}

// A run of prefix operators is read without recursion.
std::uint32_t CtlParser::operand() {
  std::vector<Prefix> prefixes;
  while (read_prefixes(prefixes)) need_operand_of(prefixes.back().at);
  std::uint32_t node = without_prefixes();
  for (std::size_t i = prefixes.size(); i-- > 0;)
    node = add({.op = prefixes[i].op, .quantifier = prefixes[i].quantifier, .left = node},
               prefixes[i].at);
  return node;
}

std::uint32_t CtlParser::without_prefixes() {
  refuse_bare_operator();
  if (const std::optional<Quantifier> found = quantifier();
      found && (after(1).is_sign("[") || after(1).is_sign("(")))
    return has_until(at_ + 1) ? until(*found) : path_group(*found);
  if (now().is_sign("(") && !is_atom_group()) return group();
  need_operand({")", "]"});
  const Token token = now();
  const AtomCutter::Cut cut = read_atom();
  if (!cut.constant)
    return add({.op = Operator::proposition, .proposition = cut.proposition}, token);
  return add({.op = *cut.constant ? Operator::constant_true : Operator::constant_false}, token);
}

// A[f U g], at the quantifier.
std::uint32_t CtlParser::until(Quantifier quantifier) {
  const Token opening = after(1);
  const std::string_view closing = opening.is_sign("[") ? "]" : ")";
  at_ += 2;
  const std::uint32_t left = binary(1);
  const Token at = now();
  const Binary* op = binary_operator(at);
  if (op == nullptr || !is_temporal(op->op)) refuse_operator();
  ++at_;
  need_operand_of_binary(at);
  const std::uint32_t right = binary(1);
  if (const Binary* second = binary_operator(now()); second != nullptr && is_temporal(second->op))
    refuse(now(), fmt::format("a path quantifier has one temporal operator, and this is a second: "
                              "write A[p {} A[q {} r]], or E",
                              at.text, now().text));
  if (!now().is_sign(closing)) refuse_operator();
  ++at_;
  return add({.op = op->op, .quantifier = quantifier, .left = left, .right = right}, at);
}

// A(G f), at the quantifier.
std::uint32_t CtlParser::path_group(Quantifier quantifier) {
  at_ += 2;
  const Token at = now();
  const Operator op = *path_operator(at, after(1));
  ++at_;
  need_operand_of(at);
  const std::uint32_t node = operand();
  if (!now().is_sign(")"))
    refuse(now(), "a path quantifier has one temporal operator: write A before each, or E");
  ++at_;
  return add({.op = op, .quantifier = quantifier, .left = node}, at);
}

bool CtlParser::read_prefixes(std::vector<Prefix>& found) {
  const Token& token = now();
  if (is_one_of(token, {"!", "~"}) || (is_keyword(token, {"not"}) && !atoms_.is_bound(token))) {
    found.push_back({Operator::negation, Quantifier::none, token});
    ++at_;
    return true;
  }
  return read_word_of_prefixes(found) || read_apart(found);
}

// AG, and several: AGEF.
bool CtlParser::read_word_of_prefixes(std::vector<Prefix>& found) {
  const Token& token = now();
  const std::string_view word = token.text;
  if (token.kind != TokenKind::word || atoms_.is_bound(token) || word.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < word.size(); i += 2)
    if ((word[i] != 'A' && word[i] != 'E') || std::string_view("XFG").find(word[i + 1]) > 2)
      return false;
  if (AtomCutter::continues_atom(after(1))) return false;
  if (word.size() > 2 && !starts_operand(after(1))) return false;
  for (std::size_t i = 0; i < word.size(); i += 2)
    found.push_back(
        {operator_of(word[i + 1]), word[i] == 'A' ? Quantifier::all : Quantifier::some, token});
  ++at_;
  return true;
}

// A G, A[], E<>.
bool CtlParser::read_apart(std::vector<Prefix>& found) {
  const std::optional<Quantifier> quantifier = this->quantifier();
  if (!quantifier) return false;
  const std::optional<Operator> op = path_operator(after(1), after(2));
  if (!op) return false;
  found.push_back({*op, *quantifier, after(1)});
  at_ += 2;
  return true;
}

std::optional<Operator> CtlParser::path_operator(const Token& token, const Token& next) const {
  if (token.is_sign("[]")) return Operator::globally;
  if (token.is_sign("<>")) return Operator::finally;
  if (token.is_sign("()")) return Operator::next;
  if (token.kind != TokenKind::word || token.text.size() != 1 || atoms_.is_bound(token) ||
      std::string_view("XFG").find(token.text) > 2 || AtomCutter::continues_atom(next))
    return std::nullopt;
  return operator_of(token.text[0]);
}

// Of the current token, if what follows is what a quantifier has.
std::optional<Quantifier> CtlParser::quantifier() const {
  const Token& token = now();
  if (token.kind != TokenKind::word || (token.text != "A" && token.text != "E") ||
      atoms_.is_bound(token))
    return std::nullopt;
  const bool group = after(1).is_sign("[") || after(1).is_sign("(");
  if (!path_operator(after(1), after(2)) && !(group && has_until(at_ + 1)) &&
      !(after(1).is_sign("(") && path_operator(after(2), after(3))))
    return std::nullopt;
  return token.text == "A" ? Quantifier::all : Quantifier::some;
}

// Whether U or the like stands in the group that begins at this token, and in none within it.
bool CtlParser::has_until(std::size_t group) const {
  const std::size_t end = atoms_.after_group(group);
  for (std::size_t i = group + 1; i + 1 < end;) {
    const Token& token = tokens_[i];
    if (token.is_sign("(") || token.is_sign("[")) {
      i = atoms_.after_group(i);
      continue;
    }
    const Binary* op = binary_operator(token);
    if (op != nullptr && is_temporal(op->op) && !atoms_.is_bound(token) && i > group + 1 &&
        !AtomCutter::continues_atom(tokens_[i - 1]) && !AtomCutter::continues_atom(tokens_[i + 1]))
      return true;
    ++i;
  }
  return false;
}

// G p, as in linear time.
void CtlParser::refuse_bare_operator() const {
  const Token& token = now();
  if (token.is_sign("[]") || token.is_sign("<>") || token.is_sign("()"))
    refuse(token, fmt::format("'{0}' needs a path quantifier: A{0} or E{0}", token.text));
  if (token.kind != TokenKind::word || atoms_.is_bound(token) ||
      token.text.find_first_not_of("XFG") != std::string_view::npos ||
      AtomCutter::continues_atom(after(1)) || !starts_operand(after(1)))
    return;
  refuse(token, fmt::format("'{0}' needs a path quantifier: A{0} or E{0}; formulas without one are "
                            "checked with --ltl",
                            token.text.substr(0, 1)));
}

}  // namespace spillway::ltl
