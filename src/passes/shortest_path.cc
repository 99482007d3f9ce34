#include "passes/shortest_path.h"

#include <algorithm>

#include "storage/bits/bit_vector.h"

namespace spillway {
namespace {

class Steps {
 public:
  Steps(const Edges& edges, const PathEnds& ends, Budget& budget)
      : edges_(edges), ends_(ends), budget_(budget), seen_(budget, edges.nodes()) {}

  std::vector<Node> find(const std::function<void()>& poll) {
    std::vector<Node> first = ends_.from;
    std::ranges::sort(first);
    for (const Node node : first) seen_.set(node);
    add(std::move(first));
    while (!levels_.back().empty()) {
      poll();
      const auto last = std::ranges::find_if(levels_.back(), ends_.to);
      if (last != levels_.back().end()) return path_to(*last);
      add(next());
    }
    return {};
  }

 private:
  void add(std::vector<Node> level) {
    claims_.emplace_back(budget_, level.size() * sizeof(Node));
    levels_.push_back(std::move(level));
  }

  // Of the nodes of a level, in order: blocks are unpacked once.
  std::span<const Node> targets(Node node) {
    if (block_.size() == 0 || edges_.block_of(node) != unpacked_) {
      unpacked_ = edges_.block_of(node);
      edges_.unpack(unpacked_, block_);
    }
    return block_.targets(node - block_.first());
  }

  std::vector<Node> next() {
    std::vector<Node> found;
    for (const Node node : levels_.back()) {
      if (!ends_.among(node)) continue;
      for (const Node target : targets(node)) {
        if (seen_.get(target)) continue;
        seen_.set(target);
        found.push_back(target);
      }
    }
    std::ranges::sort(found);
    return found;
  }

  std::vector<Node> path_to(Node last) {
    std::vector<Node> path{last};
    for (std::size_t i = levels_.size() - 1; i-- > 0;)
      path.push_back(*std::ranges::find_if(levels_[i], [&](Node node) {
        return ends_.among(node) && std::ranges::binary_search(targets(node), path.back());
      }));
    std::ranges::reverse(path);
    return path;
  }

  const Edges& edges_;
  const PathEnds& ends_;
  Budget& budget_;
  BitVector seen_;
  std::vector<Claim> claims_;
  std::vector<std::vector<Node>> levels_;
  EdgeBlock block_;
  std::size_t unpacked_ = 0;
};

}  // namespace

std::vector<Node> shortest_path(const Edges& edges, const PathEnds& ends, Budget& budget,
                                const std::function<void()>& poll) {
  return Steps(edges, ends, budget).find(poll);
}

}  // namespace spillway
