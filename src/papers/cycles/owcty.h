// OWCTY: one way catch them young, on disk ("DAC", detection of accepting cycles).
//
// Idea.  Remove states that cannot be behind an accepting cycle, again and again: those that no
// accepting step leads to, and those without a predecessor.  What remains at last is behind an
// accepting cycle, and is empty if there is none.
//
// Source.  Cerna and Pelanek 2003; on disk: Barnat, Brim and Simecek 2007.
//
//   S := reach(init)
//   repeat:  k := |S|
//     S := reach in S(ends of accepting steps in S)
//     repeat:  remove from S all states without a predecessor in S;  until there are none
//   until |S| = k
//   there is an accepting cycle if S is not empty
//
// Cost.  One thread. S is a sorted file. Reachability is breadth-first with delayed duplicate
// detection: each level reads S and what has been met. Elimination keeps the number of predecessors
// with each state, takes off those of the states removed last, and writes S again each time. Memory
// bounds what is sorted at a time, and nothing else. All states are expanded once more in each
// round at least. Not on the fly: S is known before anything is decided.
//
// Departures.  Steps are accepting, not states. Several acceptance sets are met one after the
// other, and each state is there with each number of sets that have been met. Steps that leave a
// part of the automaton are not taken after the first reachability. The cycle: an accepting step
// (s, t) of S is on one if t reaches s in S. If it does not, what t reaches is removed from S, and
// what remains is still behind an accepting cycle. So no state is looked at twice there.
#pragma once

#include <memory>

#include "check/session/search.h"
#include "papers/cycles/disk_cycles.h"

namespace spillway {

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_owcty(const SearchContext& context);
std::unique_ptr<Search> make_owcty(const SearchContext& context,
                                   const DiskCyclesSettings& settings);

}  // namespace spillway
