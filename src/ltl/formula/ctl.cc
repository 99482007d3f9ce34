#include "ltl/formula/ctl.h"

#include <array>
#include <optional>

#include "base/error.h"

namespace spillway::ltl {
namespace {

// What the negation of a formula with this operator has, with negated operands.
Operator dual(Operator op) {
  switch (op) {
    case Operator::constant_true: return Operator::constant_false;
    case Operator::constant_false: return Operator::constant_true;
    case Operator::conjunction: return Operator::disjunction;
    case Operator::disjunction: return Operator::conjunction;
    case Operator::next: return Operator::next;
    case Operator::until: return Operator::release;
    case Operator::release: return Operator::until;
    case Operator::weak_until: return Operator::strong_release;
    case Operator::strong_release: return Operator::weak_until;
    default: SPILLWAY_CHECK(false);
  }
  return op;
}

Quantifier dual(Quantifier quantifier) {
  if (quantifier == Quantifier::none) return quantifier;
  return quantifier == Quantifier::all ? Quantifier::some : Quantifier::all;
}

// Recursion is bounded by kMostDepth.
class NegationsInside {
 public:
  explicit NegationsInside(const CtlFormula& formula)
      : formula_(formula), done_(formula.nodes().size()) {}

  CtlFormula take() {
    make(formula_.root(), false);
    return std::move(made_);
  }

 private:
  std::uint32_t make(std::uint32_t number, bool negated) {
    std::optional<std::uint32_t>& done = done_[number][negated ? 1 : 0];
    if (!done) done = make(formula_.nodes()[number], negated);
    return *done;
  }

  std::uint32_t make(const CtlNode& node, bool negated) {
    switch (node.op) {
      case Operator::proposition: return proposition(node, negated);
      case Operator::negation: return make(node.left, !negated);
      case Operator::implication:
        return with_operands({.op = Operator::disjunction}, make(node.left, !negated),
                             make(node.right, negated), negated);
      case Operator::equivalence: return equivalence(node, negated);
      case Operator::exclusive_or: return equivalence(node, !negated);
      case Operator::finally:
        return with_operands({Operator::until, node.quantifier}, constant(!negated),
                             make(node.left, negated), negated);
      case Operator::globally:
        return with_operands({Operator::release, node.quantifier}, constant(negated),
                             make(node.left, negated), negated);
      default: break;
    }
    const unsigned count = operands(node.op);
    return with_operands({node.op, node.quantifier}, count > 0 ? make(node.left, negated) : 0,
                         count > 1 ? make(node.right, negated) : 0, negated);
  }

  // The operands are negated already, if that is wanted.
  std::uint32_t with_operands(CtlNode node, std::uint32_t left, std::uint32_t right, bool negated) {
    if (negated) {
      node.op = dual(node.op);
      node.quantifier = dual(node.quantifier);
    }
    node.left = left;
    node.right = right;
    return made_.add(node);
  }

  std::uint32_t constant(bool value) {
    return made_.add({.op = value ? Operator::constant_true : Operator::constant_false});
  }

  std::uint32_t proposition(const CtlNode& node, bool negated) {
    const std::uint32_t positive = made_.add(node);
    return negated ? made_.add({.op = Operator::negation, .left = positive}) : positive;
  }

  std::uint32_t equivalence(const CtlNode& node, bool negated) {
    const std::uint32_t both = made_.add({.op = Operator::conjunction,
                                          .left = make(node.left, false),
                                          .right = make(node.right, negated)});
    const std::uint32_t neither = made_.add({.op = Operator::conjunction,
                                             .left = make(node.left, true),
                                             .right = make(node.right, !negated)});
    return made_.add({.op = Operator::disjunction, .left = both, .right = neither});
  }

  const CtlFormula& formula_;
  std::vector<std::array<std::optional<std::uint32_t>, 2>> done_;  // by number, and by negation
  CtlFormula made_;
};

}  // namespace

std::uint32_t CtlFormula::add(const CtlNode& node) {
  const auto [entry, is_new] = numbers_.emplace(node, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back(node);
  return entry->second;
}

CtlFormula renumbered(const CtlFormula& formula, std::span<const std::uint32_t> numbers) {
  CtlFormula made;
  std::vector<std::uint32_t> moved;  // two propositions may become one, and then nodes are fewer
  for (CtlNode node : formula.nodes()) {
    if (node.op == Operator::proposition) node.proposition = numbers[node.proposition];
    if (operands(node.op) > 0) node.left = moved[node.left];
    if (operands(node.op) > 1) node.right = moved[node.right];
    moved.push_back(made.add(node));
  }
  return made;
}

CtlFormula with_negations_inside(const CtlFormula& formula) {
  return NegationsInside(formula).take();
}

}  // namespace spillway::ltl
