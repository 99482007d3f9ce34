// BFS-DDDD: delayed duplicate detection that is put off for several levels where that is
// cheaper.
//
// Idea.  Like HDDD, but after each level decide whether duplicates are looked for at all. If
// not, all successors that a cache and a look at a few levels (partial detection) do not rule
// out are expanded as if they were new: some states are expanded again, but the visited states
// need not be read.
//
// Source.  Evangelista: Dynamic delayed duplicate detection for external memory model checking,
// SPIN 2008, figure 3. When to detect: dddd_forecast.h.
//
//   while Q is not empty:  EXPAND: for s in Q, t in succ(s): if t not in Cache: add it to T
//     MERGE, for all i:  H := T[i]
//       detecting:  H := H + C[i] without V[i];  V[i] := V[i] + H;  C[i] := {}
//       otherwise:  H := H without k levels of V[i] and C[i];  C[i] := C[i] + H
//       Q[i] := those of H that were not in C[i]
//
// Cost.  A detection reads V and C; a revisit costs an expansion and some reads and writes.
// Published: 0.45 of the time of PART with k = 4. Levels, and so depths, are exact in spite of
// the delay.
//
// Departures.  The initial state is detected like others (the figure never puts it into V). A
// state of T that is in C is not expanded again: C goes into H first, and what is there keeps
// its tag. V is written by levels, as partial detection needs it. The length of a backward
// transition is the level it leaves minus the one it enters (printed the other way round). The
// size of the current level is estimated by how many of the last one's candidates were
// different. At the latest after 250 levels there is a detection. Cache has 8 places for a
// state, taken in turn, instead of chains. Lengths are counted in partial detections as well,
// where only those that were chosen can be seen; and once more when the candidates of a
// partition did not fit and are gathered again.
#pragma once

#include <functional>

#include "papers/states/published.h"

namespace spillway {

struct DdddSettings : Sizes {
  std::size_t lengths = 4;  // the paper's k
  // decides instead of the forecast, if there is one
  std::function<bool(std::uint64_t level)> forced;
};

std::unique_ptr<Search> make_dddd(const SearchContext& context);
std::unique_ptr<Search> make_dddd(const SearchContext& context, const DdddSettings& settings);

}  // namespace spillway
