// A shortest accepting cycle in a component that is too large for shortest_accepting_cycle().
//
// Idea.  Search breadth-first by lanes (lane_search.h), and write down what each step comes to.
// Then go back through these layers and keep what leads to the end.  Then go forwards again, by the
// least of what was kept.
//
// Cost.  A few bits for each node, and each node that is met is written twice, on disk where
// needed.
#pragma once

#include <functional>
#include <vector>

#include "base/process/crew.h"
#include "passes/accepting.h"

namespace spillway {

// The same cycle as that of shortest_accepting_cycle().  Throws Error(memory) if there are more
// sets than MetSets::kMost, and Error(usage) if the budget refuses.
std::vector<Node> long_accepting_cycle(const Edges& edges, const BitVector& component,
                                       SetMask wanted, const NodeOrder& order, Node node,
                                       Budget& budget, Crew& crew,
                                       const std::function<void()>& poll);

}  // namespace spillway
