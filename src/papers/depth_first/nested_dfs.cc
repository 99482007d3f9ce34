#include "papers/depth_first/nested_dfs.h"

#include <algorithm>
#include <vector>

#include "papers/depth_first/depth_first.h"

namespace spillway {
namespace {

class NestedDfs final : public DepthFirstSearch {
  // A state, and the acceptance set that is to be met next.
  struct NodeAndSet {
    StepNode node;
    unsigned set;
  };
  struct Visit {
    NodeAndSet place;
    std::size_t next;  // step to look at
  };
  enum Colour : std::uint8_t { white, cyan, blue, red };

  const unsigned sets = std::max(1U, model.acceptance().sets());
  NodeArray<std::uint8_t> colours{budget, graph.most_nodes() * sets};
  std::vector<Visit> path, inner;  // of the two searches
  std::uint64_t claimed = 0;       // visits of both
  std::vector<Claim> claims;

 public:
  using DepthFirstSearch::DepthFirstSearch;

  void search() override {
    for (const StepNode node : graph.initial())
      if (colour({node, 0}) == white) search_from({node, 0});
  }

 private:
  std::uint8_t& colour(NodeAndSet place) {
    return colours[std::uint64_t{place.node} * sets + place.set];
  }
  std::span<const MarkedStep> steps(StepNode node) {
    if (graph.is_crowded()) graph.make_room();
    while (!graph.expand(0, node)) graph.make_room();
    return graph.steps(node);
  }

  void enter(std::vector<Visit>& stack, NodeAndSet place) {
    if (path.size() + inner.size() >= claimed) {
      constexpr std::uint64_t kClaimedVisits = 1 << 14;
      claims.emplace_back(budget, 2 * kClaimedVisits * sizeof(Visit));  // a stack may double
      claimed += kClaimedVisits;
      lookout.look_up();
    }
    stack.push_back({place, 0});
  }

  // Where a step leads, and whether all sets have been met then.
  struct Taken {
    NodeAndSet place;
    bool accepting;
  };
  Taken take(NodeAndSet from, const MarkedStep& step) const {
    unsigned set = from.set;
    if (!step.inside) return {{step.to, 0}, false};
    while (set < sets && (wanted == 0 || (step.mark >> set & 1) != 0)) ++set;
    return {{step.to, set == sets ? 0 : set}, set == sets};
  }

  void search_from(NodeAndSet initial) {
    enter(path, initial);
    colour(initial) = cyan;
    while (!path.empty()) {
      const NodeAndSet from = path.back().place;
      const std::span<const MarkedStep> all = steps(from.node);
      if (path.back().next < all.size())
        look_at(take(from, all[path.back().next]));
      else
        leave(from);
    }
  }

  void look_at(Taken taken) {
    if (colour(taken.place) == white) {  // the step is looked at again after that
      colour(taken.place) = cyan;
      return enter(path, taken.place);
    }
    ++path.back().next;
    if (!taken.accepting) return;
    if (colour(taken.place) == cyan) report_cycle(taken.place);
    if (colour(taken.place) == blue) search_again(taken.place);
  }

  void leave(NodeAndSet place) {
    colour(place) = blue;
    path.pop_back();
  }

  // From the end of an accepting step.
  void search_again(NodeAndSet first) {
    enter(inner, first);
    colour(first) = red;
    while (!inner.empty()) {
      Visit& top = inner.back();
      const std::span<const MarkedStep> all = steps(top.place.node);
      if (top.next == all.size()) {
        inner.pop_back();
        continue;
      }
      const MarkedStep& step = all[top.next++];
      if (!step.inside) continue;
      const NodeAndSet to = take(top.place, step).place;
      if (colour(to) == cyan) report_cycle(to);
      if (colour(to) != blue) continue;
      colour(to) = red;
      enter(inner, to);
    }
  }

  // The path from `first` on, and the second search, which has come back to it.
  [[noreturn]] void report_cycle(NodeAndSet first) {
    const auto start = std::ranges::find_if(path, [first](const Visit& visit) {
      return visit.place.node == first.node && visit.place.set == first.set;
    });
    const auto node = [](const Visit& visit) { return visit.place.node; };
    std::vector<StepNode> stem, loop;
    std::transform(path.begin(), start + 1, std::back_inserter(stem), node);
    std::transform(start + 1, path.end(), std::back_inserter(loop), node);
    std::ranges::transform(inner, std::back_inserter(loop), node);
    loop.push_back(first.node);
    report(stem, loop);
  }
};

}  // namespace

std::unique_ptr<Search> make_nested_dfs(const SearchContext& context,
                                        const StepGraphSettings& settings) {
  return std::make_unique<NestedDfs>(context, settings);
}

}  // namespace spillway
