// BFS-HDDD: breadth-first search with duplicate detection delayed to the end of a level, by
// partitions.
//
// Idea.  Split states by a hash into partitions, each with files of states to expand, candidates
// and visited states. Expand a level; write successors that are not in a cache to the candidates
// of their partitions. Then, one partition after the other, take the candidates into memory,
// delete those that are visited, and what is left is the next level.
//
// Source.  Korf: Best-first frontier search with delayed duplicate detection, AAAI 2004, made
// breadth-first by Evangelista: Dynamic delayed duplicate detection for external memory model
// checking, SPIN 2008, section 2.
//
//   repeat
//     for s in Q, t in succ(s): if t not in Cache: add t to it; when it is full, move it to C
//     for all i:  H := C[i] without V[i];  V[i] := V[i] + H;  Q[i] := H;  C[i] := {}
//   until Q is empty
//
// Cost.  Each level reads all of V: N * h / 2 states in all, with h levels. RAM: the cache, and
// one partition's candidates.
//
// Departures.  The initial state is detected like others, so that it is in V and Q. When the
// candidates of a partition do not fit into H, they are taken in two halves, by another hash,
// and V[i] is read for each.
#pragma once

#include "papers/states/published.h"

namespace spillway {

std::unique_ptr<Search> make_hddd(const SearchContext& context);
std::unique_ptr<Search> make_hddd(const SearchContext& context, const Sizes& sizes);

}  // namespace spillway
