#include "oracle/least_lasso.h"

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace spillway {
namespace {

using Row = std::vector<Word>;

struct Edge {
  Row to;
  SetMask mark;
  bool inside;
};

// Several steps of one rule to a state are one in the sets of all of them: a run that comes by
// again and again can take them in turn.
std::vector<Edge> edges_of(const Model& model, const Row& from) {
  Successors out(model.words());
  out.want_marks(model.acceptance().marks_steps());
  model.steps().successors(from, out);
  std::vector<Edge> all;
  const std::uint32_t part = model.acceptance().part(from);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const State to = out.states()[i];
    const SetMask mark = model.acceptance().marks_steps()     ? out.mark(i)
                         : model.acceptance().accepting(from) ? 1
                                                              : 0;
    const auto known =
        std::ranges::find_if(all, [&](const Edge& edge) { return equal(edge.to, to); });
    if (known != all.end())
      known->mark |= mark;
    else
      all.push_back({{to.begin(), to.end()},
                     mark,
                     part != Acceptance::kNoPart && model.acceptance().part(to) == part});
  }
  return all;
}

std::map<Row, std::uint64_t> depths_of(const Model& model) {
  Successors out(model.words());
  model.steps().initial(out);
  std::map<Row, std::uint64_t> depths;
  std::deque<Row> queue;
  for (const State state : out.states())
    if (depths.emplace(Row(state.begin(), state.end()), 0).second)
      queue.emplace_back(state.begin(), state.end());
  for (; !queue.empty(); queue.pop_front())
    for (const Edge& edge : edges_of(model, queue.front()))
      if (depths.emplace(edge.to, depths.at(queue.front()) + 1).second) queue.push_back(edge.to);
  return depths;
}

// Steps of a shortest cycle through `first` that meets all sets.
std::optional<std::uint64_t> shortest_cycle(const Model& model, const Row& first) {
  using Node = std::pair<Row, SetMask>;  // and the sets that were met on the way to it
  const SetMask wanted = all_sets(model.acceptance().sets());
  std::map<Node, std::uint64_t> steps = {{{first, 0}, 0}};
  std::deque<Node> queue = {{first, 0}};
  for (; !queue.empty(); queue.pop_front()) {
    const std::uint64_t next = steps.at(queue.front()) + 1;
    for (const Edge& edge : edges_of(model, queue.front().first)) {
      if (!edge.inside) continue;
      const Node to{edge.to, queue.front().second | edge.mark};
      if (to.first == first && (to.second & wanted) == wanted) return next;
      if (steps.emplace(to, next).second) queue.push_back(to);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> shortest_lasso(const Model& model) {
  std::optional<std::uint64_t> least;
  for (const auto& [row, depth] : depths_of(model))
    if (!least || depth + 1 < *least)
      if (const auto cycle = shortest_cycle(model, row))
        least = std::min(depth + *cycle, least.value_or(UINT64_MAX));
  return least;
}

}  // namespace spillway
