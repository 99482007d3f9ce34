// The grammar of formulas; parse.h describes it.
#pragma once

#include <vector>

#include "ltl/formula/formula.h"
#include "ltl/reading/grammar.h"

namespace spillway::ltl {

class Parser : private Grammar<Parser, Formula> {
 public:
  using Grammar::Grammar;
  using Grammar::take_atoms;

  // Throws BadFormula.
  Formula parse() { return whole({{")", "("}}); }

 private:
  friend class Grammar<Parser, Formula>;

  static bool takes(Operator) { return true; }
  Formula joined(Operator op, const Formula& left, const Formula& right, const Token& at) const {
    return checked(Formula::binary(op, left, right), at);
  }
  Formula operand();
  Formula prefixed();
  Formula checked(const Formula& formula, const Token& at) const;

  // Prefix operators that the token stands for, from the outside; empty if it is none.
  std::vector<Operator> prefixes() const;
};

}  // namespace spillway::ltl
