// Accepting cycles of a graph: those that meet every acceptance set.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/set_mask.h"
#include "passes/edges.h"
#include "storage/states/bit_vector.h"

namespace spillway {

// Acceptance sets of nodes.  A cycle is accepting if it has a node of each.
using AcceptanceSets = std::vector<BitVector>;

// The sets that a node is in.
SetMask sets_of(const AcceptanceSets& sets, Rank node);

// The least node of `among` on an accepting cycle within it, or nothing.  By Tarjan's algorithm:
// 4 bytes for each edge within `among`, and 28 for each node, all drawn from the budget.  Throws
// Error(memory).  `poll` is called now and then; it may throw.
std::optional<Rank> least_on_accepting_cycle(const Edges& edges, const BitVector& among,
                                             const AcceptanceSets& sets, Budget& budget,
                                             const std::function<void()>& poll);

// A shortest accepting cycle through `node` within `among`: its nodes in order, from the one after
// `node` to `node` itself.  Of several, the least in the order of sequences.  REQUIRES: there is
// one, and `node` is on it.
std::vector<Rank> shortest_accepting_cycle(const Edges& edges, const BitVector& among,
                                           const AcceptanceSets& sets, Rank node, Budget& budget,
                                           const std::function<void()>& poll);

}  // namespace spillway
