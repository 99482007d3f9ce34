// UFSCC: strongly connected components by many threads at once, while states are searched.
//
// Idea.  All threads search depth-first, each in an order of its own. What they know of components
// is in one union-find structure: states that are known to be on a common cycle are one set, with
// the acceptance sets that the steps inside have met. A set lists the states that still have to be
// looked at, so that threads share the work on a component. When the list is empty, the component
// is complete and nobody enters it again.
//
// Source.  Bloemen, Laarman and van de Pol 2016; acceptance as in Bloemen, Duret-Lutz and van de
// Pol 2017.
//
//   ufscc(v):  R.push(v)
//     while v' := some state of the list of v's set:
//       for (v', w) in steps:
//         if w's set is complete: continue
//         if this thread has not entered w's set: ufscc(w)
//         else: while v and w are in different sets:  r := R.pop();  unite(r, R.top())
//           add the marks of the step to the set;  if it has met all: report
//       remove v' from the list
//     mark v's set as complete if its list is empty;  if v = R.top(): R.pop()
//
// Cost.  16 bytes for each step, 40 for each state, and the paths of all threads.
//
// Departures.  The union-find structure is behind a lock, which is free while states are expanded.
// It is for up to 64 threads; others do not take part.
#pragma once

#include <memory>

#include "check/session/search.h"
#include "papers/depth_first/step_graph.h"

namespace spillway {

std::unique_ptr<Search> make_ufscc(const SearchContext& context,
                                   const StepGraphSettings& settings = {});

}  // namespace spillway
