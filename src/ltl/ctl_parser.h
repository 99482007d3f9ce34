// The grammar of formulas of branching time; parse_ctl.h describes it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ltl/atom_cutter.h"
#include "ltl/ctl.h"
#include "ltl/lexer.h"

namespace spillway::ltl {

class CtlParser {
 public:
  // `text` and `bound_names` must outlive this object.
  CtlParser(std::string_view text, std::vector<Token> tokens,
            const std::vector<std::string>& bound_names)
      : tokens_(std::move(tokens)), atoms_(text, tokens_, bound_names) {}
  CtlParser(const CtlParser&) = delete;
  CtlParser& operator=(const CtlParser&) = delete;

  // Throws BadFormula.
  CtlFormula parse();
  std::vector<AtomCutter::FoundAtom> take_atoms() { return atoms_.take_atoms(); }

 private:
  struct Prefix {
    Operator op;
    Quantifier quantifier;
    Token at;
  };

  const Token& now() const { return tokens_[at_]; }
  // The token so many after the current one, or the end.
  const Token& after(std::size_t count) const;

  std::uint32_t binary(int weakest);
  std::uint32_t operand();
  std::uint32_t group();
  std::uint32_t until(Quantifier quantifier);
  std::uint32_t path_group(Quantifier quantifier);
  std::uint32_t add(const CtlNode& node, const Token& at);

  // Reads prefix operators at the current token, if there are any.
  bool read_prefixes(std::vector<Prefix>& found);
  bool read_word_of_prefixes(std::vector<Prefix>& found);
  bool read_apart(std::vector<Prefix>& found);
  // The operator of a token that may follow a quantifier; std::nullopt if there is none.
  std::optional<Operator> path_operator(const Token& token, const Token& next) const;
  std::optional<Quantifier> quantifier() const;
  bool has_until(std::size_t group) const;
  bool starts_operand(const Token& token) const;
  void need_operand(const Token& of) const;
  void refuse_bare_operator() const;
  [[noreturn]] void refuse(const Token& at, std::string message) const;
  [[noreturn]] void refuse_operator() const;

  const std::vector<Token> tokens_;
  AtomCutter atoms_;
  std::size_t at_ = 0;
  std::uint32_t depth_ = 0;
  CtlFormula formula_;
  std::vector<std::uint32_t> depths_;  // of the nodes
};

}  // namespace spillway::ltl
