// Shortest paths in a graph that is read in passes.
#pragma once

#include <functional>
#include <vector>

#include "base/memory/budget.h"
#include "passes/edges.h"

namespace spillway {

struct PathEnds {
  std::vector<Node> from;
  std::function<bool(Node)> among;  // nodes that are not the last one
  std::function<bool(Node)> to;     // the last node
};

// The nodes of a shortest path, with both ends; empty if there is none.  Of several, it has the
// least last node, and before each node the least that can stand there.  Breadth-first, 8 bytes and
// a bit for each node that is reached, drawn from the budget.  Throws Error(memory).  `poll` is
// called now and then; it may throw.
std::vector<Node> shortest_path(const Edges& edges, const PathEnds& ends, Budget& budget,
                                const std::function<void()>& poll);

}  // namespace spillway
