// RAM: breadth-first search with everything in memory; what the searches on disk are measured
// against.
//
// Idea.  Keep the set of all states seen in a hash table and the states of the current and the
// next level in two lists. Expand the current level on all threads; who inserts a state first
// puts it on its list.
//
// Source.  The textbook. How the table is made to wait less for memory: open addressing in cache
// lines with one vector comparison a line, and successors inserted some time after their line
// was asked for.
//
//   for s in init: if insert(T, s): add s to next
//   while next is not empty:  current := next;  next := {}
//     for s in current, t in succ(s): if insert(T, t): add t to next
//
// Cost.  One random cache line per transition. Rows of one word: about 9.2 bytes / 0.72..0.9 per
// state, rows of two: 18.3 / 0.72..0.9, longer ones: what differs between rows, in whole words, and
// 9.2 / 0.4..0.8; and the two lists.
//
// Departures.  Levels are strict, so that counts, depths and counterexamples do not depend on
// threads. No parents are kept: one byte per state tells its level (or, for long rows, the place
// in the list does), and traces are found by expanding backwards.
#pragma once

#include <cstdint>
#include <memory>

#include "check/session/search.h"
#include "search/ram/handover.h"
#include "search/ram/runs_rule.h"

namespace spillway {

// Sizes that only tests and measurements change.
struct RamSettings {
  std::size_t first_homes = std::size_t{1} << 14;    // buckets the table begins with
  std::size_t chunk_bytes = std::size_t{128} << 10;  // of the lists of a level
  std::size_t unit_rows = 512;                       // states a thread takes from a level at a time
  std::size_t in_flight = 24;                        // successors between prefetch and insertion
  std::size_t batch_bytes = std::size_t{4}
                            << 10;  // of successors made before their buffer is used again
  // of a thread, for successors made a moment ago
  std::size_t recent_bytes = std::size_t{512} << 10;
  // after so many successors it is seen whether looking for recent ones is worth it
  std::size_t look_rows = 4096;
  std::size_t alone_rows = 256;  // levels up to this size are not worth waking threads
  // long rows are squeezed when there are so many
  std::size_t squeeze_rows = std::size_t{1} << 13;
  std::size_t window_rows = std::size_t{1} << 20;  // of kept levels held at once for a trace
  // memory counts as full when this many states are stored, if the search is interruptible
  std::uint64_t leave_states = UINT64_MAX;
  // whether it is left for sorted runs although memory suffices, likewise
  RunsRule runs;
};

std::unique_ptr<InterruptibleSearch> make_interruptible_ram(const SearchContext& context,
                                                            const RamSettings& settings);
std::unique_ptr<Search> make_ram(const SearchContext& context);
std::unique_ptr<Search> make_ram(const SearchContext& context, const RamSettings& settings);

}  // namespace spillway
