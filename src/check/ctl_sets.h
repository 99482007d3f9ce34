// Where the parts of a formula of branching time hold in a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "ltl/ctl.h"
#include "passes/branching.h"
#include "storage/states/bit_vector.h"

namespace spillway {

class CtlSets {
 public:
  // `formula`: with negations inside.  `propositions`: the nodes of the graph where each holds.
  // Paths are infinite.  Throws Error(memory, usage) if the budget refuses, and what polls throw.
  // REQUIRES: every node of the graph has a target, and the formula outlives this object.
  CtlSets(const ltl::CtlFormula& formula, const std::vector<BitVector>& propositions,
          Branching& branching, std::uint64_t nodes, Budget& budget);

  const ltl::CtlFormula& formula() const { return formula_; }
  const ltl::CtlNode& node(std::uint32_t number) const { return formula_.nodes()[number]; }
  // Where a node of the formula holds.
  const BitVector& of(std::uint32_t number) const { return sets_[number]; }
  const BitVector& of_all() const { return sets_.back(); }

 private:
  BitVector make(const ltl::CtlNode& node, const std::vector<BitVector>& propositions);
  // Of the operator on some path.  Both sets may be changed.
  void some_path(ltl::Operator op, BitVector& left, BitVector& right);
  void until(BitVector& left, BitVector& right, bool weak);
  BitVector copy(const BitVector& set);

  const ltl::CtlFormula& formula_;
  Branching& branching_;
  const std::uint64_t nodes_;
  Budget& budget_;
  std::vector<BitVector> sets_;
};

}  // namespace spillway
