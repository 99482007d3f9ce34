// Cuts atoms out of the tokens of a formula; parse.h says what belongs to one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ltl/reading/lexer.h"

namespace spillway::ltl {

// Functions that cut throw BadFormula.
class AtomCutter {
 public:
  struct FoundAtom {
    std::string text;    // without comments of the formula
    std::uint32_t from;  // of this text, which is as long as what was written
    std::uint32_t to() const { return from + static_cast<std::uint32_t>(text.size()); }
  };

  // All must outlive this object.
  AtomCutter(std::string_view text, const std::vector<Token>& tokens,
             const std::vector<std::string>& bound_names)
      : text_(text), tokens_(tokens), bound_names_(bound_names) {}

  // Whether a word is an atom even if it could be an operator.
  bool is_bound(const Token& token) const;
  // A sign after which an atom goes on.
  static bool continues_atom(const Token& token);
  // The token after a group in parentheses or brackets that begins at the token `at`.
  std::size_t after_group(std::size_t at) const;

  struct Cut {
    std::size_t end;               // the token after it
    std::optional<bool> constant;  // true or false
    std::uint32_t proposition = 0;
  };
  // The atom that begins at the token `at`.
  Cut cut(std::size_t at);

  // Distinct, by the number of their proposition.
  std::vector<FoundAtom> take_atoms() { return std::move(atoms_); }

 private:
  std::uint32_t number_of(std::string key, FoundAtom atom);
  // What stands in quotes or braces.
  Cut cut_as_it_stands(std::size_t at);
  // Ways through an atom; each begins at the token `at` and returns the one after.
  std::size_t after_quantifier(std::size_t at) const;
  std::size_t after_primary(std::size_t at) const;
  std::size_t after_choice(std::size_t at) const;
  std::size_t after_atom(std::size_t at) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
  const std::vector<std::string>& bound_names_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<FoundAtom> atoms_;
};

}  // namespace spillway::ltl
