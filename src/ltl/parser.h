// The grammar of formulas; parse.h describes it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ltl/formula.h"
#include "ltl/lexer.h"

namespace spillway::ltl {

class Parser {
 public:
  struct FoundAtom {
    std::string text;
    std::uint32_t from, to;
  };

  // `text` and `bound_names` must outlive this object.
  Parser(std::string_view text, std::vector<Token> tokens,
         const std::vector<std::string>& bound_names)
      : text_(text), tokens_(std::move(tokens)), bound_names_(bound_names) {}

  // Throws BadFormula.
  Formula parse();
  std::vector<FoundAtom> take_atoms() { return std::move(atoms_); }

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
  Formula make_atom(std::string key, std::string text, std::uint32_t from, std::uint32_t to);
  Formula checked(const Formula& formula, const Token& at) const;

  bool is_bound(const Token& token) const;
  // Prefix operators that the token stands for, from the outside; empty if it is none.
  std::vector<Operator> prefixes() const;
  bool continues_atom(const Token& token) const;
  bool starts_operand(const Token& token) const;
  bool is_atom_group() const;

  // Ways through an atom; each begins at the token `at` and returns the one after.
  std::size_t after_group(std::size_t at) const;
  std::size_t after_quantifier(std::size_t at) const;
  std::size_t after_primary(std::size_t at) const;
  std::size_t after_choice(std::size_t at) const;
  std::size_t after_atom(std::size_t at) const;

  [[noreturn]] void refuse(const Token& at, std::string message) const;
  [[noreturn]] void refuse_operator() const;

  std::string_view text_;
  std::vector<Token> tokens_;
  const std::vector<std::string>& bound_names_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<FoundAtom> atoms_;
};

}  // namespace spillway::ltl
