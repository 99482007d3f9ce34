// Formulas of branching time: CTL.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ltl/formula/formula.h"

namespace spillway::ltl {

enum class Quantifier : std::uint8_t {
  none,
  all,   // on all paths
  some,  // on some path
};

// An operator with its operands, which are numbers of earlier nodes of the same formula.
struct CtlNode {
  Operator op = Operator::constant_true;
  Quantifier quantifier = Quantifier::none;  // of a temporal operator, and only of those
  std::uint32_t proposition = 0;
  std::uint32_t left = 0, right = 0;
  auto operator<=>(const CtlNode&) const = default;
};

// Operands come before what they are operands of, and no node occurs twice.  So whoever computes
// something for each node goes through the list once.
class CtlFormula {
 public:
  // The last one is the formula.
  const std::vector<CtlNode>& nodes() const { return nodes_; }
  std::uint32_t root() const { return static_cast<std::uint32_t>(nodes_.size() - 1); }

  // Adds a node, unless there is an equal one, and returns its number.
  std::uint32_t add(const CtlNode& node);

 private:
  std::vector<CtlNode> nodes_;
  std::map<CtlNode, std::uint32_t> numbers_;
};

// One that was given to a check.
struct NamedCtl {
  std::string name;
  CtlFormula formula;
};

// The same formula about other propositions: number i becomes numbers[i].
CtlFormula renumbered(const CtlFormula& formula, std::span<const std::uint32_t> numbers);

// The same formula with negations only before propositions.  Of the operators there are left
// conjunction, disjunction, and X, U, R, W and M with quantifiers: F is true U, and G is false R.
CtlFormula with_negations_inside(const CtlFormula& formula);

}  // namespace spillway::ltl
