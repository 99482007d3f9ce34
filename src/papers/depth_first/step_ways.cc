#include "papers/depth_first/step_ways.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"

namespace spillway {

StepWays::Way StepWays::go(const std::vector<StepNode>& from, const IsStep& is_allowed,
                           const IsStep& is_end) {
  std::vector<StepNode> queue = from;
  std::unordered_map<StepNode, StepNode> before;
  for (const StepNode node : from) before[node] = node;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const MarkedStep& step : graph_.steps(queue[i])) {
      if (!graph_.is_expanded(step.to) || !is_allowed(step)) continue;
      if (is_end(step)) {
        Way way{{step.to, queue[i]}, step.mark};
        for (StepNode at = queue[i]; before.at(at) != at; at = before.at(at))
          way.nodes.push_back(before.at(at));
        std::ranges::reverse(way.nodes);
        return way;
      }
      if (before.emplace(step.to, queue[i]).second) queue.push_back(step.to);
    }
  }
  throw Error(Fault::internal, "internal error: a state is on no accepting cycle");
}

std::vector<StepNode> StepWays::stem(const std::vector<StepNode>& initial,
                                     const IsMember& is_member) {
  std::vector<StepNode> known;
  for (const StepNode node : initial) {
    if (is_member(node)) return {node};
    if (graph_.is_expanded(node)) known.push_back(node);
  }
  return go(
             known, [](const MarkedStep&) { return true; },
             [&](const MarkedStep& step) { return is_member(step.to); })
      .nodes;
}

std::vector<StepNode> StepWays::loop(StepNode start, SetMask wanted, const IsMember& is_member) {
  const IsStep is_inside = [&](const MarkedStep& step) {
    return step.inside && is_member(step.to);
  };
  std::vector<StepNode> loop{start};
  const auto extend = [&](const IsStep& is_end) {
    const Way way = go({loop.back()}, is_inside, is_end);
    loop.insert(loop.end(), way.nodes.begin() + 1, way.nodes.end());
    return way.last_mark;
  };
  SetMask met = 0;
  while ((met & wanted) != wanted)
    met |= extend([&](const MarkedStep& step) { return (step.mark & wanted & ~met) != 0; });
  if (loop.size() == 1 || loop.back() != start)
    extend([&](const MarkedStep& step) { return step.to == start; });
  loop.erase(loop.begin());
  return loop;
}

}  // namespace spillway
