// Computes in which nodes of a graph the parts of a formula of branching time hold.
#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/budget.h"
#include "ltl/formula/ctl.h"
#include "passes/branching.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

class CtlSets {
 public:
  // `formula`: with negations inside.  `propositions`: the nodes of the graph where each holds.
  // Paths are infinite.  `cut_off`: the nodes from which none goes on; nullptr: there are none.
  // They count as if they were not there: every formula holds in them, and no path goes through
  // them. Throws Error(memory, usage) if the budget refuses, and what polls throw.  REQUIRES:
  // formula and cut_off outlive this object.
  CtlSets(const ltl::CtlFormula& formula, const std::vector<BitVector>& propositions,
          Branching& branching, const BitVector* cut_off, std::uint64_t nodes, Budget& budget);

  const ltl::CtlFormula& formula() const { return formula_; }
  const ltl::CtlNode& node(std::uint32_t number) const { return formula_.nodes()[number]; }
  // Where a node of the formula holds.
  const BitVector& of(std::uint32_t number) const { return sets_[number]; }
  const BitVector& of_all() const { return sets_.back(); }

 private:
  BitVector make(const ltl::CtlNode& node, const std::vector<BitVector>& propositions);
  BitVector where_paths_go_on(const ltl::CtlNode& node, const std::vector<BitVector>& propositions);
  // Of the operator on some path.  Both sets may be changed.
  void some_path(ltl::Operator op, BitVector& left, BitVector& right);
  void until(BitVector& left, BitVector& right, bool weak);
  BitVector copy(const BitVector& set);
  void leave_out_cut_off(BitVector& set) const;

  const ltl::CtlFormula& formula_;
  Branching& branching_;
  const BitVector* const cut_off_;
  const std::uint64_t nodes_;
  Budget& budget_;
  std::vector<BitVector> sets_;
};

}  // namespace spillway
