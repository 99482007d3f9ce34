// MAP: maximal accepting predecessors, on disk.
//
// Idea.  Give each state the greatest of its accepting predecessors, in the order of rows. If some
// state is its own, it is on an accepting cycle. Otherwise no state that is greatest anywhere is on
// one, so these do not count any more, and it begins again with the others.
//
// Source.  Brim, Cerna, Moravec and Simsa 2004; on disk: Barnat, Brim, Simecek and Weber 2008.
//
//   F := accepting states
//   repeat:  m := none for all states;  propagate from init:
//     for (u, v) in steps:  x := max(m(u), u if u is in F)
//       if x = v: report
//       if x > m(v): m(v) := x;  look at v again
//     F := F without { m(v) }
//   until m is none everywhere
//
// Cost.  One thread. m is sorted files of (state, value), in which the greatest value counts. A
// level of the propagation is sorted and compared with all of them in one pass. A state may be
// expanded once for each value that it gets, and there may be a round for each accepting state.
// Memory bounds what is sorted at a time, and nothing else. Cycles are found on the fly.
//
// Departures.  Steps are accepting, not states: u is in F if it has an accepting step, and counts
// for that step only. Several acceptance sets are met one after the other. No value is taken along
// a step that leaves a part of the automaton. What does not count any more is a sorted file, which
// is read along with each level. The other variant of the paper, with these states in memory, and
// the levels that are propagated without looking at the disk (its revisiting resistance) are not
// there.
#pragma once

#include <memory>

#include "check/session/search.h"
#include "papers/cycles/disk_cycles.h"

namespace spillway {

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_map(const SearchContext& context);
std::unique_ptr<Search> make_map(const SearchContext& context, const DiskCyclesSettings& settings);

}  // namespace spillway
