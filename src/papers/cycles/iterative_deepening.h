// ITERATIVE-DEEPENING: semi-external search that looks for cycles before it has found all states.
//
// Idea.  Stop the breadth-first search now and then, make a perfect hash of the states that were
// found so far, and look for an accepting cycle among them, as semi-external search does. If there
// is none, go on.
//
// Source.  Edelkamp, Sanders, Simecek 2008, section 5; Edelkamp, Sulewski 2008, section 2. Wu et
// al. 2015 compare it with theirs as IDDFS.
//
//   V := external breadth-first search, level by level;  after some levels:
//     h := perfect hash of V;  last[h(s)] := s is in the newest level
//     double depth-first search over V as in semi_external.h; s is not expanded if last[h(s)]
//     if it has found a cycle: report
//   at the end once more, without last
//
// Cost.  With checks whenever the number of states has grown by half, about three times what the
// last one takes; one bit a state more. In return, states after the first level that closes a cycle
// need not be found.
//
// Departures.  As semi_external.h, and the bit `last`: successors of the newest level may not be in
// V, and a perfect hash has a number for them all the same, that of another state, which then
// passes for visited. The paper has no such bit. Checks are made when the number of states has
// grown by half, not after every level.
#pragma once

#include "papers/cycles/numbered_states.h"

namespace spillway {

struct IterativeSettings : NumberedSettings {
  std::uint64_t first_check = 1000;  // states at the first check
  double growth = 1.5;               // of their number between two checks
};

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_iterative_deepening(const SearchContext& context,
                                                 const MakeExternalBfs& make_bfs,
                                                 const IterativeSettings& settings = {});

}  // namespace spillway
