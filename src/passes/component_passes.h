// The least node on an accepting cycle, by passes over the edges: for graphs whose components do
// not fit into memory.
//
// Idea.  A node is on an accepting cycle if and only if the nodes that it reaches, and that reach
// it, have edges of all sets between them.  The least node of the set is tried first.  If it is on
// none, its component goes, and what no cycle can lead through any more.
//
//   trim S both ways
//   while S is not empty:  c := min S;  C := nodes of S that c reaches and that reach c
//     if the edges within C meet all sets: c is it;  otherwise S := trim(S - C)
//
// Source.  Forward and backward search for components (Fleischer et al. 2000), for one node.
//
// Cost.  Four bits a node.  Two closures for each node that is tried; after trimming both ways, few
// are: docs/design/ltl.md.
#pragma once

#include <functional>
#include <optional>

#include "base/process/crew.h"
#include "base/set_mask.h"
#include "passes/edges.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

// The least node of `among` on a cycle within it that meets all sets of `wanted`, or nothing.  If
// there is one, `among` becomes its strongly connected component.  `poll` may throw.  Throws
// Error(usage) if the budget refuses.
std::optional<Node> least_on_accepting_cycle_by_passes(const Edges& edges, BitVector& among,
                                                       SetMask wanted, Budget& budget, Crew& crew,
                                                       const std::function<void()>& poll);

}  // namespace spillway
