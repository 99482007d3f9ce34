// IOEMC: nested depth-first search with visited states and paths on disk.
//
// Idea.  The first search visits all states. When it has come back from an accepting step, the
// second one looks for a way from the end of that step to its beginning. Each has a set of visited
// states, of which the most recent are in memory, and a path, of which the end is in memory.
//
// Source.  Wu, Huang, Su, Cai, Zhang: An I/O efficient model checking algorithm for large-scale
// systems, TVLSI 2015, algorithms 1 to 5.
//
//   first(init):  push init
//     while the path is not empty:  (s, i) := its end
//       if step i of s leads to a new t: visit t; push (t, 0)
//       else:  if step i = (s, t) is accepting: second(s, t)
//         i := i + 1;  if there is no step i: pop
//   second(s, t):  if t is new to the second search: visit t; push (t, 0)
//     while its path is not empty:  (v, i) := its end
//       if step i of v leads to s: report
//       if it leads to a new u: visit u; push (u, 0)
//       i := i + 1;  if there is no step i: pop
//
// Cost.  One thread. A quarter of the memory for each set of visited states, and a half for both
// paths. A new state costs a read from the disk as soon as anything is there. Each time that a
// share rho1 of the recent states goes to disk, the whole table there is read and written: the
// square of the number of states, divided by rho1 and by what is in memory (the paper's theorem 1
// forgets rho1). The first hashes of all blocks are in memory: 8 bytes for each block of 16 KiB
// (4 KiB below 32 MiB of memory). Steps are made again whenever the search comes back to a state.
//
// Departures.  Algorithm 1 loses what is less than all records of the table, and the last block if
// it is short: hash_sorted_table.h. Algorithm 3 reloads more than there is room for, and moves the
// same entries again and again at the border: dynamic_path.h. Algorithms 4 and 5 do nothing for
// ever if a state that is not in memory is on disk, and look at all successors again: here a path
// has the number of the next step with each state. The hash has 64 bits. Steps are accepting, not
// states, so s is still on the first path when the second search begins. Several acceptance sets
// are met one after the other, on states with the number of sets that have been met. Steps that
// leave a part of the automaton are not accepting, and the second search does not take them.
#pragma once

#include <memory>

#include "check/session/search.h"

namespace spillway {

// Sizes that only tests and measurements change; 0: chosen from the budget.
struct IoemcSettings {
  double rho1 = 0.02;             // of the recent states goes to disk when there are too many
  double rho2 = 0.9;              // of the paths likewise
  std::uint64_t recent = 0;       // states in memory, for each search
  std::uint64_t path = 0;         // entries of both paths in memory
  std::size_t block_records = 0;  // of a table
};

// REQUIRES: the model has an acceptance property.
std::unique_ptr<Search> make_ioemc(const SearchContext& context);
std::unique_ptr<Search> make_ioemc(const SearchContext& context, const IoemcSettings& settings);

}  // namespace spillway
