// The grammar of formulas of branching time; parse_ctl.h describes it.
#pragma once

#include <optional>
#include <vector>

#include "ltl/formula/ctl.h"
#include "ltl/reading/grammar.h"

namespace spillway::ltl {

class CtlParser : private Grammar<CtlParser, std::uint32_t> {
 public:
  using Grammar::Grammar;
  using Grammar::take_atoms;

  // Throws BadFormula.
  CtlFormula parse();

 private:
  friend class Grammar<CtlParser, std::uint32_t>;

  struct Prefix {
    Operator op;
    Quantifier quantifier;
    Token at;
  };

  // Temporal operators need a quantifier.
  static bool takes(Operator op) { return !is_temporal(op); }
  std::uint32_t joined(Operator op, std::uint32_t left, std::uint32_t right, const Token& at) {
    return add({.op = op, .left = left, .right = right}, at);
  }
  std::uint32_t operand();
  std::uint32_t without_prefixes();
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
  void refuse_bare_operator() const;
  [[noreturn]] void refuse_operator() const;

  CtlFormula formula_;
  std::vector<std::uint32_t> depths_;  // of the nodes
};

}  // namespace spillway::ltl
