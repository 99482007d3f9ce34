// The grammar of formulas; parse.h describes it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ltl/atom_cutter.h"
#include "ltl/formula.h"
#include "ltl/lexer.h"

namespace spillway::ltl {

class Parser {
 public:
  // `text` and `bound_names` must outlive this object.
  Parser(std::string_view text, std::vector<Token> tokens,
         const std::vector<std::string>& bound_names)
      : tokens_(std::move(tokens)), atoms_(text, tokens_, bound_names) {}
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // Throws BadFormula.
  Formula parse();
  std::vector<AtomCutter::FoundAtom> take_atoms() { return atoms_.take_atoms(); }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& after() const {
    return tokens_[at_ + (tokens_[at_].kind == TokenKind::end ? 0 : 1)];
  }

  Formula binary(int weakest);
  Formula operand();
  Formula prefixed();
  Formula group();
  Formula atom();
  Formula checked(const Formula& formula, const Token& at) const;

  // Prefix operators that the token stands for, from the outside; empty if it is none.
  std::vector<Operator> prefixes() const;
  bool starts_operand(const Token& token) const;
  bool is_atom_group() const;

  [[noreturn]] void refuse(const Token& at, std::string message) const;
  [[noreturn]] void refuse_operator() const;

  const std::vector<Token> tokens_;
  AtomCutter atoms_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace spillway::ltl
