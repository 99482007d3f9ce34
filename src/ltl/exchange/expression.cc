#include "ltl/exchange/expression.h"

#include <algorithm>

#include "ltl/automaton/labels.h"

namespace spillway::ltl {
namespace {

// Making labels fewer takes quadratic time.
constexpr std::size_t kComparedLabels = 64;

}  // namespace

Expressions::Id Expressions::add(Node node) {
  if (node.kind == Kind::negation) node.depth = nodes_[node.a].depth + 1;
  if (node.kind == Kind::all || node.kind == Kind::any)
    node.depth = std::max(nodes_[node.a].depth, nodes_[node.b].depth) + 1;
  nodes_.push_back(node);
  return static_cast<Id>(nodes_.size() - 1);
}

std::optional<std::vector<Label>> Expressions::cases(Id id, bool negated, std::size_t most) const {
  const Node& node = nodes_[id];
  if (node.kind == Kind::negation) return cases(node.a, !negated, most);
  if (node.kind == Kind::variable) {
    const Letter bit = Letter{1} << node.a;
    return std::vector<Label>{negated ? Label{0, bit} : Label{bit, 0}};
  }
  if (node.kind == Kind::no || node.kind == Kind::yes) {
    if ((node.kind == Kind::yes) != negated) return std::vector<Label>{Label{}};
    return std::vector<Label>{};
  }
  auto left = cases(node.a, negated, most);
  if (!left) return std::nullopt;
  const auto right = cases(node.b, negated, most);
  if (!right) return std::nullopt;
  if ((node.kind == Kind::any) != negated) {
    left->insert(left->end(), right->begin(), right->end());
  } else {
    std::vector<Label> product;
    if (left->size() * right->size() > 16 * most) return std::nullopt;
    for (const Label& a : *left)
      for (const Label& b : *right)
        if (is_possible(both(a, b))) product.push_back(both(a, b));
    left = std::move(product);
  }
  if (left->size() > 1 && left->size() <= kComparedLabels) left = merged(std::move(*left));
  if (left->size() > most) return std::nullopt;
  return left;
}

}  // namespace spillway::ltl
