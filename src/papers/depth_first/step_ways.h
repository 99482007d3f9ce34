// Runs through the states of a step graph that have been expanded.
#pragma once

#include <functional>
#include <vector>

#include "papers/depth_first/step_graph.h"

namespace spillway {

class StepWays {
 public:
  // REQUIRES: the graph outlives it, and no thread is at work on it.
  explicit StepWays(StepGraph& graph) : graph_(graph) {}

  using IsMember = std::function<bool(StepNode)>;
  // From one of these nodes to a member, with both ends.
  // REQUIRES: there is a way.
  std::vector<StepNode> stem(const std::vector<StepNode>& initial, const IsMember& is_member);
  // From `start` through members back to it, so that all sets of `wanted` are met: the nodes after
  // it.  REQUIRES: members are strongly connected and expanded, and steps between them meet the
  // sets.
  std::vector<StepNode> loop(StepNode start, SetMask wanted, const IsMember& is_member);

 private:
  using IsStep = std::function<bool(const MarkedStep&)>;
  struct Way {
    std::vector<StepNode> nodes;  // with both ends
    SetMask last_mark;
  };
  // The shortest way of allowed steps up to one that ends it.
  Way go(const std::vector<StepNode>& from, const IsStep& is_allowed, const IsStep& is_end);

  StepGraph& graph_;
};

}  // namespace spillway
