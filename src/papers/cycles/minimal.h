// MINIMAL: a shortest counterexample, of the stem and the cycle together.
//
// Idea.  The perfect hash of semi-external search also gives room for the depth of each state. For
// each accepting step, search breadth-first from its end, and then back to its beginning from all
// states that were met, in the order of how long the lasso would be that begins there. Accepting
// steps that are too deep for a shorter lasso are left out.
//
// Source.  Gastin, Moro: Minimal counterexample generation for SPIN, 2007; Edelkamp, Sulewski:
// Flash-efficient LTL model checking with minimal counterexamples, 2008, figures 4 to 6.
//
//   V := external breadth-first search;  h := perfect hash of V;  depth[h(s)] := level of s
//   Accept := states with accepting steps, by depth;  opt := infinity
//   for r in Accept, while depth(r) + 1 < opt:
//     breadth-first from r, first by accepting steps; for v met after n steps:
//       if v = r: opt := min(opt, depth(r) + n), begin at r
//       if v is new and depth(v) + n + 1 < opt: PQ[depth(v) + n] += v
//     if r was not met again: go to the next r
//     for n from the least key of PQ, while n + 1 < opt:  F := F + those of PQ[n] that are new
//       for (t, x) in F, y in succ(x):  if y = r: opt := n + 1, begin at t, go to the next r
//         if y is new: F' += (t, y)
//       F := F'
//   report a shortest path to where the best one begins, and the cycle through its r
//
// Cost.  One or two searches of the graph for each accepting state that is not too deep: that is
// for graphs of a few million states. 2.6 bits a state for the hash, 1 for the searches, a byte for
// the depth. One thread after the breadth-first search.
//
// Departures.  The printed figures find no cycle at all: the test v = r is made only if v is new,
// and r never is. Also corrected: opt is changed by real lassos only; what is searched is not cut
// off by opt, only what PQ is given; PQ[i] is PQ[n]; the loop ends with n + 1 < opt; the path is
// made once, after the loop. Their depth-bounded search for the path may miss it; ours keeps
// layers and goes back through them. Steps are accepting, not states. With several acceptance sets,
// the lasso is a shortest one of those whose cycle meets the sets in their order.
#pragma once

#include "papers/cycles/numbered_states.h"

namespace spillway {

struct MinimalSettings : NumberedSettings {
  std::size_t queue_rows = 0;  // of PQ in memory; 0: by the budget
};

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_minimal(const SearchContext& context, const MakeExternalBfs& make_bfs,
                                     const MinimalSettings& settings = {});

}  // namespace spillway
