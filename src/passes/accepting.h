// Accepting cycles of a graph: those whose edges meet every acceptance set.
//
// A cycle may come through a node or an edge more than once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/memory/budget.h"
#include "base/set_mask.h"
#include "passes/edges.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

// Which of two nodes comes first.  Empty: the one with the smaller number.
using NodeOrder = std::function<bool(Node, Node)>;

// The least node of `among` on a cycle within it that meets all sets of `wanted`, or nothing.  If
// there is one, `among` becomes the strongly connected component of that node.  By Tarjan's
// algorithm: 4 bytes for each edge within `among`, 12 if the marks differ, and 32 for each node,
// all drawn from the budget.  Throws Error(memory).  `poll` is called now and then; it may throw.
std::optional<Node> least_on_accepting_cycle(const Edges& edges, BitVector& among, SetMask wanted,
                                             const NodeOrder& order, Budget& budget,
                                             const std::function<void()>& poll);

// Removes from `among` all nodes that are on no cycle within it that meets all sets of `wanted`.
// The same cost.
void keep_accepting_components(const Edges& edges, BitVector& among, SetMask wanted, Budget& budget,
                               const std::function<void()>& poll);

// With more sets than this, accepting cycles are short, but not always shortest: that would take
// time and memory for each combination of sets.
inline constexpr int kMostSetsForShortest = 8;

// A shortest accepting cycle through `node` within `component`: its nodes in order, from the one
// after `node` to `node` itself.  Of several, the least in the order of sequences.  REQUIRES:
// `component` is strongly connected and its edges meet all sets of `wanted`.
std::vector<Node> shortest_accepting_cycle(const Edges& edges, const BitVector& component,
                                           SetMask wanted, const NodeOrder& order, Node node,
                                           Budget& budget, const std::function<void()>& poll);

}  // namespace spillway
