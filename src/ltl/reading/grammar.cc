#include "ltl/reading/grammar.h"

#include <fmt/format.h>

#include <algorithm>

#include "ltl/formula/formula.h"

namespace spillway::ltl {
namespace {

std::string in_braces(const Token& token) {
  if (token.kind != TokenKind::word) return "";
  return fmt::format("; a variable of that name is written {{{}}}", token.text);
}

}  // namespace

const Token& FormulaTokens::after(std::size_t count) const {
  return tokens_[std::min(at_ + count, tokens_.size() - 1)];
}

bool FormulaTokens::starts_operand(const Token& token) const {
  if (token.kind == TokenKind::end) return false;
  if (token.kind != TokenKind::sign)
    return atoms_.is_bound(token) || binary_operator(token) == nullptr;
  return is_one_of(token, {"(", "!", "~", "[]", "<>", "()", "-"});
}

bool FormulaTokens::is_atom_group() const {
  return AtomCutter::continues_atom(tokens_[atoms_.after_group(at_)]);
}

AtomCutter::Cut FormulaTokens::read_atom() {
  const AtomCutter::Cut cut = atoms_.cut(at_);
  at_ = cut.end;
  return cut;
}

void FormulaTokens::refuse(const Token& at, std::string message) const {
  throw BadFormula{at.from, std::max(at.to, at.from + 1), std::move(message)};
}

void FormulaTokens::refuse_operator() const {
  refuse(now(), fmt::format("an operator was expected here, and not {}{}", shown(now()),
                            meant(now().text)));
}

void FormulaTokens::need_operand(std::initializer_list<std::string_view> closing) const {
  const Token& token = now();
  if (token.kind == TokenKind::end) refuse(token, "something is missing at the end");
  if (starts_operand(token)) return;
  for (const std::string_view sign : closing)
    if (token.is_sign(sign)) refuse(token, fmt::format("something is missing before '{}'", sign));
  if (binary_operator(token) != nullptr)
    refuse(token, fmt::format("'{}' has nothing on its left{}", token.text, in_braces(token)));
  refuse(token, fmt::format("a formula cannot begin with {}", shown(token)));
}

void FormulaTokens::need_operand_of(const Token& prefix) const {
  if (!starts_operand(now()))
    refuse(prefix, fmt::format("'{}' has nothing on its right{}", prefix.text, in_braces(prefix)));
}

void FormulaTokens::need_operand_of_binary(const Token& op) const {
  if (!starts_operand(now())) refuse(op, fmt::format("'{}' has nothing on its right", op.text));
}

void FormulaTokens::limit_depth(std::uint32_t depth, const Token& at) const {
  if (depth > kMostDepth)
    refuse(at, fmt::format("the formula is nested more than {} operators deep; split it, or use "
                           "parentheses to balance it",
                           kMostDepth));
}

void FormulaTokens::enter() {
  if (++depth_ > kMostDepth)
    refuse(now(),
           fmt::format("parentheses and operators are nested more than {} deep", kMostDepth));
}

}  // namespace spillway::ltl
