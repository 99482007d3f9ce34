#include "oracle/ctl_reference.h"

#include <fmt/format.h>

#include <algorithm>

#include "oracle/boolean_meaning.h"

namespace spillway {
namespace {

using ltl::CtlNode;
using ltl::Operator;
using ltl::Quantifier;
using States = std::vector<bool>;

class Meaning {
 public:
  Meaning(const LabelledGraph& graph, const ltl::CtlFormula& formula)
      : graph_(graph), formula_(formula) {}

  States of(std::uint32_t number) const {
    const CtlNode& node = formula_.nodes()[number];
    States left(size()), right(size());
    if (ltl::operands(node.op) > 0) left = of(node.left);
    if (ltl::operands(node.op) > 1) right = of(node.right);
    const bool least = node.op == Operator::until || node.op == Operator::finally ||
                       node.op == Operator::strong_release;
    States now(size(), !least);
    if (node.op == Operator::next) return satisfying(node, left, right, left);
    for (;;) {
      States next = satisfying(node, left, right, now);
      if (next == now || !ltl::is_temporal(node.op)) return next;
      now = std::move(next);
    }
  }

 private:
  std::size_t size() const { return graph_.letters.size(); }

  bool after(const CtlNode& node, std::size_t state, const States& states) const {
    const auto in = [&](std::uint64_t target) { return states[target]; };
    return node.quantifier == Quantifier::all ? std::ranges::all_of(graph_.targets[state], in)
                                              : std::ranges::any_of(graph_.targets[state], in);
  }

  bool holds(const CtlNode& node, std::size_t state, bool a, bool b, const States& now) const {
    switch (node.op) {
      case Operator::proposition: return (graph_.letters[state] >> node.proposition & 1) != 0;
      case Operator::next: return after(node, state, now);
      case Operator::finally: return a || after(node, state, now);
      case Operator::globally: return a && after(node, state, now);
      case Operator::until:
      case Operator::weak_until: return b || (a && after(node, state, now));
      case Operator::release:
      case Operator::strong_release: return b && (a || after(node, state, now));
      default: return boolean_meaning(node.op, a, b);
    }
  }

  States satisfying(const CtlNode& node, const States& left, const States& right,
                    const States& now) const {
    States found(size());
    for (std::size_t i = 0; i < size(); ++i) found[i] = holds(node, i, left[i], right[i], now);
    return found;
  }

  const LabelledGraph& graph_;
  const ltl::CtlFormula& formula_;
};

}  // namespace

LabelledGraph without_dead_ends(LabelledGraph graph) {
  for (std::size_t k = 0; k < graph.targets.size(); ++k)
    for (auto& targets : graph.targets)
      std::erase_if(targets, [&](std::uint64_t target) { return graph.targets[target].empty(); });
  return graph;
}

std::vector<bool> ctl_reference(const LabelledGraph& graph, const ltl::CtlFormula& formula) {
  const LabelledGraph left = without_dead_ends(graph);
  std::vector<bool> holds = Meaning(left, formula).of(formula.root());
  for (std::size_t i = 0; i < holds.size(); ++i)
    if (left.targets[i].empty()) holds[i] = true;
  return holds;
}

std::string random_ctl(std::mt19937_64& random, const std::vector<std::string>& names,
                       unsigned operators) {
  if (operators == 0) {
    if (random() % 12 == 0) return random() % 2 == 0 ? "true" : "false";
    return names[random() % names.size()];
  }
  const auto one = [&] { return random_ctl(random, names, operators - 1); };
  const unsigned for_left = static_cast<unsigned>(random() % operators);
  const auto left = [&] { return random_ctl(random, names, for_left); };
  const auto right = [&] { return random_ctl(random, names, operators - 1 - for_left); };
  static constexpr const char* kUnary[] = {"!", "AX ", "AF ", "AG ", "EX ", "EF ", "EG "};
  static constexpr const char* kBinary[] = {"&", "|", "->", "<->", "xor"};
  static constexpr const char* kUntil[] = {"U", "W", "R", "M"};
  switch (random() % 4) {
    case 0:
    case 1: return fmt::format("{}({})", kUnary[random() % 7], one());
    case 2: return fmt::format("({}) {} ({})", left(), kBinary[random() % 5], right());
    default:
      return fmt::format("{}[{} {} {}]", random() % 3 == 0 ? "E" : "A", left(),
                         kUntil[random() % 4], right());
  }
}

}  // namespace spillway
