// The part of a parser that is the same for every language whose trees have names and expressions:
// operators by precedence, ranges of the text, limits of nesting, and names that are in doubt after
// an error.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "language/token_reader.h"

namespace spillway {

// An operator of a language, and what it makes of its operands.
template <class Word, class Form>
struct OperatorOf {
  Word word;
  Form form;
};

template <class Operators, class Word>
auto find_operator(const Operators& operators, Word word) -> decltype(&*operators.begin()) {
  for (const auto& one : operators)
    if (one.word == word) return &one;
  return nullptr;
}

// Grammar has Word, Expression, may_be_name(Word) and kFirstKeyword.  REQUIRES of an Expression: it
// has form, position, operands (pointers to expressions) and depth, which is 1.
template <class Grammar>
class ExpressionReader : protected TokenReader<typename Grammar::Word> {
  using Reader = TokenReader<typename Grammar::Word>;

 protected:
  using Reader::Reader;
  using typename Reader::Index;
  using Word = typename Grammar::Word;
  using Expression = typename Grammar::Expression;
  using ExpressionPtr = std::unique_ptr<Expression>;
  using Form = decltype(Expression::form);

  bool at_name() const { return Grammar::may_be_name(this->now().word); }
  Name name(const char* what) {
    if (!at_name()) {
      const bool keyword = this->now().word >= Grammar::kFirstKeyword;
      this->refuse_here(keyword ? fmt::format("{} (not a keyword)", what) : std::string(what));
    }
    auto token = this->take();
    return {std::move(token.text), token.position};
  }
  // One or more, with commas between them.
  std::vector<Name> names(const char* what) {
    return this->list([&] { return name(what); });
  }

  ExpressionPtr node(Form form, program::Position position) const {
    auto result = std::make_unique<Expression>();
    result->form = form;
    result->position = position;
    return result;
  }
  // Notes that a part of the tree has this depth.
  void deepen(Expression& parent, std::uint32_t depth) const {
    parent.depth = std::max(parent.depth, depth + 1);
    if (parent.depth > kDepthLimit)
      this->source_.give_up(
          parent.position,
          fmt::format("more than {} levels of nesting in this expression", kDepthLimit));
  }
  // The range of the parent grows to contain the child.
  void adopt(Expression& parent, ExpressionPtr child) const {
    deepen(parent, child->depth);
    parent.position.from = std::min(parent.position.from, child->position.from);
    parent.position.to = std::max(parent.position.to, child->position.to);
    parent.operands.push_back(std::move(child));
  }
  // The range of the expression ends with the last token that was taken.
  void end_range(Expression& expression) const { expression.position.to = this->end_of_last(); }

  // Operators with two operands.  Levels are lists of operators, and the first binds least; those of
  // a level group to the left.  operand() reads what is between them.
  template <class Levels, class Operand>
  ExpressionPtr binary(const Levels& levels, Operand operand, std::size_t level = 0) {
    if (level == levels.size()) return operand();
    ExpressionPtr result = binary(levels, operand, level + 1);
    while (const auto* sign = find_operator(levels[level], this->now().word)) {
      ExpressionPtr next = node(sign->form, this->take().position);
      adopt(*next, std::move(result));
      adopt(*next, binary(levels, operand, level + 1));
      result = std::move(next);
    }
    return result;
  }

  // The same, but several of the same operator are one expression with many operands.  begin(left,
  // form) is told where another operator of a level begins.
  template <class Levels, class Operand, class Begin>
  ExpressionPtr chain(const Levels& levels, Operand operand, Begin begin, std::size_t level = 0) {
    if (level == levels.size()) return operand();
    ExpressionPtr result = chain(levels, operand, begin, level + 1);
    bool mine = false;  // the result is a chain of this level that can be extended
    while (const auto* sign = find_operator(levels[level], this->now().word)) {
      if (!mine || result->form != sign->form) {
        begin(*result, sign->form);
        ExpressionPtr next = node(sign->form, this->now().position);
        adopt(*next, std::move(result));
        result = std::move(next);
        mine = true;
      }
      this->take();
      adopt(*result, chain(levels, operand, begin, level + 1));
    }
    return result;
  }

  // The names from this token on up to the current one may have been declarations.
  void doubt(Index begin) {
    for (Index i = begin; i < this->index(); ++i)
      if (Grammar::may_be_name(this->token(i).word)) doubtful_.insert(this->token(i).text);
  }

  std::unordered_set<std::string> doubtful_;  // names in declarations with errors
};

}  // namespace spillway
