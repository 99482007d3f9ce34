// Random graphs for tests of passes.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "passes/edges.h"

namespace spillway {

using Random = std::mt19937_64;
using Nodes = std::vector<bool>;
using Targets = std::vector<std::vector<Node>>;

inline Targets some_targets(Random& random) {
  Targets all(1 + random() % 60);
  const bool forwards = random() % 2 == 0;
  for (Node i = 0; i < all.size(); ++i) {
    for (std::uint64_t k = random() % 3; k-- > 0;)
      all[i].push_back(forwards ? std::min<Node>(all.size() - 1, i + 1 + random() % 3)
                                : random() % all.size());
    if (random() % 8 == 0) all[i].push_back(random() % (i + 1));
  }
  return all;
}

inline Nodes some_nodes(Random& random, std::size_t count) {
  const std::uint64_t seldom = 1 + random() % 6;
  const bool others = random() % 2 == 0;
  Nodes nodes(count);
  for (std::size_t i = 0; i < count; ++i) nodes[i] = (random() % seldom == 0) != others;
  return nodes;
}

inline Edges packed(const Targets& targets, Budget& budget, std::uint64_t block_nodes,
                    EdgeRoom room = {}) {
  Edges edges(budget, targets.size(), block_nodes, room);
  for (std::size_t i = 0; i < edges.blocks(); ++i) {
    EdgeBlock block;
    block.begin(edges.begin(i));
    for (Node node = edges.begin(i); node < edges.end(i); ++node) block.add(targets[node]);
    edges.put(i, block);
  }
  edges.settle();
  return edges;
}

}  // namespace spillway
