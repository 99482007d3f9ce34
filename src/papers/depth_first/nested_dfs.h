// NESTED-DFS: two depth-first searches, one inside the other; what every other search for accepting
// cycles is compared with.
//
// Idea.  A first search visits all states. When it has come back from an accepting step, a second
// one looks for a way from the end of that step to a state on the path of the first. States that
// the second search has seen are not seen again by it.
//
// Source.  Courcoubetis, Vardi, Wolper and Yannakakis 1992, with the stop at any state of the path
// and the colours of Schwoon and Esparza 2005.
//
//   blue(s):  s := cyan
//     for (s, t) in steps:
//       if t is cyan and (s, t) is accepting: report
//       if t is white: blue(t)
//       if (s, t) is accepting and t is not red: red(t)
//     if s is not red: s := blue
//   red(s):  for (s, t) in steps:  if t is cyan: report;  if t is not red: t := red;  red(t)
//
// Cost.  One thread. 16 bytes for each step, one for each state and acceptance set, and the path.
//
// Departures.  Steps are accepting, not states. Several acceptance sets are met one after the
// other: a counter says which is next, and each state is visited with each value of it. Steps that
// leave a part of the automaton are not accepting, and the second search does not take them.
#pragma once

#include <memory>

#include "check/session/search.h"
#include "papers/depth_first/step_graph.h"

namespace spillway {

std::unique_ptr<Search> make_nested_dfs(const SearchContext& context,
                                        const StepGraphSettings& settings = {});

}  // namespace spillway
