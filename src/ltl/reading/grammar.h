// Common parts of the grammars of all logics: tokens and atoms, binary operators and groups, and
// messages about mistakes.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ltl/reading/atom_cutter.h"
#include "ltl/reading/lexer.h"
#include "ltl/reading/operator_tokens.h"

namespace spillway::ltl {

// The tokens of a formula, and how far they have been read.
class FormulaTokens {
 public:
  // `text` and `bound_names` must outlive this object.
  FormulaTokens(std::string_view text, std::vector<Token> tokens,
                const std::vector<std::string>& bound_names)
      : tokens_(std::move(tokens)), atoms_(text, tokens_, bound_names) {}
  FormulaTokens(const FormulaTokens&) = delete;
  FormulaTokens& operator=(const FormulaTokens&) = delete;

  std::vector<AtomCutter::FoundAtom> take_atoms() { return atoms_.take_atoms(); }

 protected:
  ~FormulaTokens() = default;

  const Token& now() const { return tokens_[at_]; }
  // The token so many after the current one, or the end.
  const Token& after(std::size_t count) const;
  bool starts_operand(const Token& token) const;
  // Whether a group in parentheses, at the current token, is the beginning of an atom.
  bool is_atom_group() const;
  AtomCutter::Cut read_atom();

  // All of these throw BadFormula.
  [[noreturn]] void refuse(const Token& at, std::string message) const;
  [[noreturn]] void refuse_operator() const;  // what follows an operand is none
  // Something that an operand can begin with stands here; `closing`: what ends a group.
  void need_operand(std::initializer_list<std::string_view> closing) const;
  void need_operand_of(const Token& prefix) const;
  void need_operand_of_binary(const Token& op) const;
  // Formulas that are too deep are refused, so that nobody who walks through one needs much stack.
  void limit_depth(std::uint32_t depth, const Token& at) const;
  void enter();  // an operator or a group
  void leave() { --depth_; }

  const std::vector<Token> tokens_;
  AtomCutter atoms_;
  std::size_t at_ = 0;

 private:
  std::uint32_t depth_ = 0;
};

// Logic has three members: operand(), joined(op, left, right, token), and refuse_operator(), which
// throws.  If it says so (takes()), a binary operator is one of its own.
template <class Logic, class Node>
class Grammar : public FormulaTokens {
 protected:
  using FormulaTokens::FormulaTokens;
  ~Grammar() = default;

  // All tokens are one formula.  `closing`: signs that end groups, and the ones that begin them.
  Node whole(std::initializer_list<std::pair<std::string_view, std::string_view>> closing) {
    if (now().kind == TokenKind::end) refuse(now(), "the formula is empty");
    Node node = binary(1);
    for (const auto& [end, begin] : closing)
      if (now().is_sign(end))
        refuse(now(), "'" + std::string(end) + "' without '" + std::string(begin) + "'");
    if (now().kind != TokenKind::end) logic().refuse_operator();
    return node;
  }

  // Operators that bind at least as tight as `weakest`.
  Node binary(int weakest) {
    enter();
    Node left = logic().operand();
    for (;;) {
      const Token& at = now();
      const Binary* op = binary_operator(at);
      if (op == nullptr || !Logic::takes(op->op) || op->strength < weakest) break;
      ++at_;
      need_operand_of_binary(at);
      Node right = binary(op->to_the_right ? op->strength : op->strength + 1);
      left = logic().joined(op->op, left, right, at);
    }
    leave();
    return left;
  }

  Node group() {
    const Token opening = now();
    ++at_;
    if (now().is_sign(")")) refuse(opening, "nothing stands in these parentheses");
    Node node = binary(1);
    if (now().kind == TokenKind::end) refuse(opening, "'(' without ')'");
    if (!now().is_sign(")")) logic().refuse_operator();
    ++at_;
    return node;
  }

 private:
  Logic& logic() { return static_cast<Logic&>(*this); }
};

}  // namespace spillway::ltl
