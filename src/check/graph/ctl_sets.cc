#include "check/graph/ctl_sets.h"

#include "base/error.h"

namespace spillway {

using ltl::CtlNode;
using ltl::Operator;
using ltl::Quantifier;

namespace {

// What holds on some path if and only if `op` does not hold on all, of negated operands.
Operator other_than(Operator op) {
  switch (op) {
    case Operator::until: return Operator::release;
    case Operator::release: return Operator::until;
    case Operator::weak_until: return Operator::strong_release;
    case Operator::strong_release: return Operator::weak_until;
    default: return op;
  }
}

}  // namespace

CtlSets::CtlSets(const ltl::CtlFormula& formula, const std::vector<BitVector>& propositions,
                 Branching& branching, const BitVector* cut_off, std::uint64_t nodes,
                 Budget& budget)
    : formula_(formula), branching_(branching), cut_off_(cut_off), nodes_(nodes), budget_(budget) {
  for (const CtlNode& node : formula.nodes()) sets_.push_back(make(node, propositions));
}

BitVector CtlSets::copy(const BitVector& set) {
  BitVector made(budget_, nodes_);
  made.assign(set);
  return made;
}

void CtlSets::leave_out_cut_off(BitVector& set) const {
  if (cut_off_ == nullptr) return;
  set.flip();
  set.add(*cut_off_);
  set.flip();
}

BitVector CtlSets::make(const CtlNode& node, const std::vector<BitVector>& propositions) {
  BitVector set = where_paths_go_on(node, propositions);
  if (cut_off_ != nullptr) set.add(*cut_off_);
  return set;
}

// Says nothing about nodes that are cut off.
BitVector CtlSets::where_paths_go_on(const CtlNode& node,
                                     const std::vector<BitVector>& propositions) {
  if (node.op == Operator::proposition) return copy(propositions[node.proposition]);
  if (ltl::operands(node.op) == 0) {
    BitVector all(budget_, nodes_);
    if (node.op == Operator::constant_true) all.fill(nodes_);
    return all;
  }
  BitVector left = copy(sets_[node.left]);
  if (node.op == Operator::negation) {
    left.flip();
    return left;
  }
  BitVector right = copy(sets_[ltl::operands(node.op) == 2 ? node.right : node.left]);
  switch (node.quantifier) {
    case Quantifier::none:
      SPILLWAY_CHECK(node.op == Operator::conjunction || node.op == Operator::disjunction);
      if (node.op == Operator::conjunction)
        right.keep(left);
      else
        right.add(left);
      return right;
    case Quantifier::some: some_path(node.op, left, right); return right;
    case Quantifier::all:
      left.flip();
      right.flip();
      some_path(other_than(node.op), left, right);
      right.flip();
      return right;
  }
  return right;
}

// The result is in `right`.
void CtlSets::some_path(Operator op, BitVector& left, BitVector& right) {
  switch (op) {
    case Operator::next:
      leave_out_cut_off(left);
      right.clear();
      branching_.next(left, right);
      return;
    case Operator::until: return until(left, right, false);
    case Operator::weak_until: return until(left, right, true);
    case Operator::release:
    case Operator::strong_release: {
      // a R b is b W (a & b), and a M b is b U (a & b)
      left.keep(right);
      until(right, left, op == Operator::release);
      return right.assign(left);
    }
    default: SPILLWAY_CHECK(false);
  }
}

// Weak: the right operand need not come.  The result is in `right`.
void CtlSets::until(BitVector& left, BitVector& right, bool weak) {
  leave_out_cut_off(right);
  branching_.until(&left, right);
  if (!weak) return;
  branching_.always(left);
  right.add(left);
}

}  // namespace spillway
