// What boolean operators mean, for the references of all logics.
#pragma once

#include "ltl/formula/formula.h"

namespace spillway {

// Of operands with these values; of a proposition, `left` is its value.  False for temporal
// operators.
inline bool boolean_meaning(ltl::Operator op, bool left, bool right) {
  using ltl::Operator;
  switch (op) {
    case Operator::constant_true: return true;
    case Operator::proposition: return left;
    case Operator::negation: return !left;
    case Operator::conjunction: return left && right;
    case Operator::disjunction: return left || right;
    case Operator::implication: return !left || right;
    case Operator::equivalence: return left == right;
    case Operator::exclusive_or: return left != right;
    default: return false;
  }
}

}  // namespace spillway
