// SEMI-EXTERNAL: all states on disk, and a few bits for each in memory.
//
// Idea.  Find all states by breadth-first search on disk. Make a perfect hash of them: a number for
// each state, in less than three bits a state. Then a depth-first search needs one bit for each
// state to know which it has visited, and no states in memory.
//
// Source.  Edelkamp, Sanders, Simecek: Semi-external LTL model checking, CAV 2008; with the hash on
// flash memory: Edelkamp, Sulewski: Flash-efficient LTL model checking with minimal
// counterexamples, 2008, sections 2 and 6. The double search: Courcoubetis et al. 1992.
//
//   V := external breadth-first search;  h := perfect hash of V
//   visited := bits of |V| zeros;  depth-first from init, with visited[h(s)]:
//     when a state with an accepting step is left, append it to F
//   visited := zeros
//   for r in F:  if not visited[h(r)]:  depth-first from the ends of its accepting steps:
//     if a step leads to r: report
//
// Cost.  2.6 bits a state for the hash and 1 for the searches; with --hash=disk, 1 and a read of
// 4 KiB for each step, at random. One thread after the breadth-first search. Each state is expanded
// at most three times.
//
// Departures.  Steps are accepting, not states: what a state of F searches from are the ends of its
// accepting steps. Several acceptance sets are met one after the other, with a bit for each. The
// breadth-first search is ours (sorted runs), and so is the hash (papers/hash/perfect_hash.h),
// half as large as theirs. Of their ways to put it on flash there is one, which keeps 24 bytes in
// memory for each 50,000 states. Both searches keep successors on the stack, which is on disk,
// instead of making them again.
#pragma once

#include "papers/cycles/numbered_states.h"

namespace spillway {

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_semi_external(const SearchContext& context,
                                           const MakeExternalBfs& make_bfs,
                                           const NumberedSettings& settings = {});

}  // namespace spillway
