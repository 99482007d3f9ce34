#include "check/graph/ctl_path.h"

#include <algorithm>

#include "base/error.h"
#include "passes/accepting.h"
#include "passes/shortest_path.h"

namespace spillway {

using ltl::CtlNode;
using ltl::Operator;
using ltl::Quantifier;

CtlPaths::CtlPaths(const CtlSets& sets, const Edges& edges, Budget& budget,
                   std::function<void()> poll)
    : sets_(sets), edges_(edges), budget_(budget), poll_(std::move(poll)) {
  for (const CtlNode& node : sets.formula().nodes()) {
    const unsigned count = ltl::operands(node.op);
    const bool left_boolean = count < 1 || boolean_[node.left];
    const bool right_boolean = count < 2 || boolean_[node.right];
    const bool both_linear =
        (count < 1 || linear_[node.left]) && (count < 2 || linear_[node.right]);
    boolean_.push_back(left_boolean && right_boolean && !ltl::is_temporal(node.op));
    bool linear = both_linear && node.quantifier != Quantifier::some;
    if (node.op == Operator::disjunction) linear = linear && (left_boolean || right_boolean);
    if (node.op == Operator::until || node.op == Operator::weak_until)
      linear = linear && right_boolean;
    if (node.op == Operator::release || node.op == Operator::strong_release)
      linear = linear && left_boolean;
    linear_.push_back(linear);
  }
}

CtlPath CtlPaths::refute(std::vector<Node> from) {
  from_ = std::move(from);
  path_ = {};
  std::optional<std::uint32_t> part = sets_.formula().root();
  while (part) part = advance(*part);
  settle_on_first();
  return std::move(path_);
}

void CtlPaths::settle_on_first() {
  if (path_.nodes.empty()) path_.nodes.push_back(from_.front());
}

std::optional<std::uint32_t> CtlPaths::give_up() {
  settle_on_first();
  path_.complete = false;
  return std::nullopt;
}

std::optional<std::uint32_t> CtlPaths::advance(std::uint32_t part) {
  const CtlNode& node = sets_.node(part);
  if (boolean_[part]) return std::nullopt;
  if (node.quantifier == Quantifier::some) return give_up();
  switch (node.op) {
    case Operator::conjunction: return refute_conjunction(node);
    case Operator::disjunction: return refute_disjunction(node);
    case Operator::next: return refute_next(node);
    case Operator::until:
    case Operator::weak_until: return refute_until(node);
    case Operator::release:
    case Operator::strong_release: return refute_release(node);
    default: SPILLWAY_CHECK(false);
  }
  return std::nullopt;
}

// One that is false, and rather one that a path refutes completely.
std::optional<std::uint32_t> CtlPaths::refute_conjunction(const CtlNode& node) {
  settle_on_first();
  const Node here = path_.nodes.back();
  if (holds(node.left, here)) return node.right;
  if (holds(node.right, here)) return node.left;
  return !linear_[node.left] && linear_[node.right] ? node.right : node.left;
}

// Both are false.
std::optional<std::uint32_t> CtlPaths::refute_disjunction(const CtlNode& node) {
  settle_on_first();
  if (boolean_[node.left]) return node.right;
  if (boolean_[node.right]) return node.left;
  return give_up();
}

std::optional<std::uint32_t> CtlPaths::refute_next(const CtlNode& node) {
  settle_on_first();
  EdgeBlock block;
  const Node here = path_.nodes.back();
  edges_.unpack(edges_.block_of(here), block);
  for (const Node target : block.targets(here - block.first()))
    if (!holds(node.left, target)) {
      path_.nodes.push_back(target);
      return node.left;
    }
  SPILLWAY_CHECK(false);
  return std::nullopt;
}

// The right operand has not come when the left one is false, or never comes.
std::optional<std::uint32_t> CtlPaths::refute_until(const CtlNode& node) {
  if (!boolean_[node.right]) path_.complete = false;
  const auto without_right = [&](Node at) { return !holds(node.right, at); };
  if (go(without_right, [&](Node at) { return !holds(node.left, at) && !holds(node.right, at); }))
    return node.left;
  SPILLWAY_CHECK(node.op == Operator::until);
  go_round_outside(node.right);
  return std::nullopt;
}

// The right operand is false before the left one has come, or the left one never comes.
std::optional<std::uint32_t> CtlPaths::refute_release(const CtlNode& node) {
  if (!boolean_[node.left]) path_.complete = false;
  if (go([&](Node at) { return !holds(node.left, at); },
         [&](Node at) { return !holds(node.right, at); }))
    return node.right;
  SPILLWAY_CHECK(node.op == Operator::strong_release);
  go_round_outside(node.left);
  return std::nullopt;
}

// Extends the path by a shortest one; false if there is none.
bool CtlPaths::go(const std::function<bool(Node)>& among, const std::function<bool(Node)>& to) {
  const bool begins = path_.nodes.empty();
  const std::vector<Node> from = begins ? from_ : std::vector<Node>{path_.nodes.back()};
  const std::vector<Node> way = shortest_path(edges_, {from, among, to}, budget_, poll_);
  if (way.empty()) return false;
  path_.nodes.insert(path_.nodes.end(), way.begin() + (begins ? 0 : 1), way.end());
  return true;
}

// To a cycle on which `part` is false, as it is on the way there, and round it.
void CtlPaths::go_round_outside(std::uint32_t part) {
  settle_on_first();
  const auto outside = [&](Node at) { return !holds(part, at); };
  BitVector reached(budget_, edges_.nodes());
  shortest_path(edges_,
                {{path_.nodes.back()},
                 [&](Node at) {
                   if (outside(at)) reached.set(at);
                   return outside(at);
                 },
                 [](Node) { return false; }},
                budget_, poll_);
  const std::optional<Node> first =
      least_on_accepting_cycle(edges_, reached, 0, {}, budget_, poll_);
  SPILLWAY_CHECK(first.has_value());
  const bool found = go(outside, [&](Node at) { return at == *first; });
  SPILLWAY_CHECK(found);
  path_.loop = shortest_accepting_cycle(edges_, reached, 0, {}, *first, budget_, poll_);
}

std::optional<ltl::Formula> on_each_path(const ltl::CtlFormula& formula) {
  std::vector<ltl::Formula> made;
  for (const CtlNode& node : formula.nodes()) {
    if (node.quantifier == Quantifier::some) return std::nullopt;
    switch (ltl::operands(node.op)) {
      case 0:
        made.push_back(node.op == Operator::proposition
                           ? ltl::Formula::atom(node.proposition)
                           : ltl::Formula::constant(node.op == Operator::constant_true));
        break;
      case 1: made.push_back(ltl::Formula::unary(node.op, made[node.left])); break;
      default: made.push_back(ltl::Formula::binary(node.op, made[node.left], made[node.right]));
    }
  }
  return made.back();
}

}  // namespace spillway
