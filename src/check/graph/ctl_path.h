// A run that shows why a formula of branching time is false, as far as one run can.
//
// What must hold on all paths is refuted by one: AG p by a path to a state without p, AF p by a
// path and a loop without it.  What must hold on some path is not: EF p is false because of all
// paths. So the path ends where a part of the second kind is to be refuted, or two parts at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/memory/budget.h"
#include "check/graph/ctl_sets.h"
#include "ltl/formula/formula.h"
#include "passes/edges.h"

namespace spillway {

struct CtlPath {
  std::vector<Node> nodes;  // of the path
  // From the node after the last one of the path to that one again; empty: the path says enough.
  std::vector<Node> loop;
  bool complete = true;  // whatever goes on in this way, the formula is false
};

class CtlPaths {
 public:
  // REQUIRES: all outlive this object.
  CtlPaths(const CtlSets& sets, const Edges& edges, Budget& budget, std::function<void()> poll);

  // Begins in one of `from`.  For any number of threads the same.  Throws Error(memory) and what
  // poll() throws.  REQUIRES: there is one, they are in order, and the formula is false in all.
  CtlPath refute(std::vector<Node> from);

 private:
  bool holds(std::uint32_t part, Node node) const { return sets_.of(part).get(node); }
  // What is left to refute at the last node of the path; nothing: all of it is.
  std::optional<std::uint32_t> advance(std::uint32_t part);
  std::optional<std::uint32_t> refute_next(const ltl::CtlNode& node);
  std::optional<std::uint32_t> refute_conjunction(const ltl::CtlNode& node);
  std::optional<std::uint32_t> refute_disjunction(const ltl::CtlNode& node);
  std::optional<std::uint32_t> refute_until(const ltl::CtlNode& node);
  std::optional<std::uint32_t> refute_release(const ltl::CtlNode& node);
  bool go(const std::function<bool(Node)>& among, const std::function<bool(Node)>& to);
  void go_round_outside(std::uint32_t part);
  std::optional<std::uint32_t> give_up();
  void settle_on_first();

  const CtlSets& sets_;
  const Edges& edges_;
  Budget& budget_;
  const std::function<void()> poll_;
  std::vector<bool> boolean_;  // parts without temporal operators
  std::vector<bool> linear_;   // parts that a path refutes completely
  std::vector<Node> from_;     // while nothing is in the path
  CtlPath path_;
};

// The formula of linear time that a path violates if it refutes this one completely: without its
// quantifiers.  std::nullopt if there is a quantifier E.
std::optional<ltl::Formula> on_each_path(const ltl::CtlFormula& formula);

}  // namespace spillway
