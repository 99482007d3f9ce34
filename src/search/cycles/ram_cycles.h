// LEVELS: breadth-first search in memory that looks for accepting cycles as it goes.
//
// Idea.  Search as RAM does, and keep the steps that an accepting cycle can have: those within one
// part of the automaton, between states through which such a cycle may lead. Whenever the number
// of states has doubled, check the levels so far by passes over these edges. If they have an
// accepting cycle, the least number of levels that have one is found by bisection, and of those
// levels the cycle is reported that begins at the least state.
//
// Source.  Our own; docs/design/ltl.md has what it was measured against.
//
//   V := next := init
//   while next is not empty:  current := next;  next := {}
//     for s in current, t in succ(s):  if t not in V: add t to V and to next
//       if part(s) = part(t): keep (s, t)
//     number the states of next;  pack the edges from current
//     if |V| has doubled, or a state of current is an accepting cycle by itself, or next is empty:
//       if trim(edges) has an accepting cycle: report that of the least prefix
//
// Cost.  What RAM takes, 4 bytes for each state, and about 2 for each edge that is kept. The passes
// of all checks together read each edge 2 to 4 times, and two bits a state while they last.
//
// Departures.  Nodes of a level are numbered in any order, which the passes do not mind. Rows are
// compared only to choose between cycles, so what is reported is the same for any number of
// threads, any growth and any search by levels.
#pragma once

#include <cstdint>
#include <memory>

#include "check/session/search.h"
#include "search/ram/handover.h"
#include "search/ram/ram.h"

namespace spillway {

// Sizes that only tests and measurements change.
struct RamCyclesSettings {
  double growth = 2;                 // of the number of states between two checks
  std::uint64_t first_check = 1000;  // states at the first one
  std::uint64_t block_nodes = 1024;  // whose edges are packed together
  RamSettings ram = {};
};

// REQUIRES: the model has an acceptance property.
std::unique_ptr<InterruptibleSearch> make_interruptible_ram_cycles(
    const SearchContext& context, const RamCyclesSettings& settings);
std::unique_ptr<Search> make_ram_cycles(const SearchContext& context);
std::unique_ptr<Search> make_ram_cycles(const SearchContext& context,
                                        const RamCyclesSettings& settings);

}  // namespace spillway
