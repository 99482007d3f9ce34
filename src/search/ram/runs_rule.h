// Decides when the default search goes over to sorted runs although memory suffices: where they are
// faster.
//
// A search in memory waits for a cache line for each successor, longer the larger its table is.
// Sorted runs go through what was visited once a level.  So they are faster where there are many
// states, and levels are wide.  Going over costs a pass over all states, which pays only if the
// search has long to go: where levels grow.
//
// Only counts decide, not clocks.  So the same check does the same on every machine.
// docs/design/ram.md has the figures.
#pragma once

#include <cstdint>
#include <span>

#include "check/facts/statistics.h"

namespace spillway {

struct RunsRule {
  std::size_t most_words = 1;  // in a row; to sort longer ones takes longer than to look them up
  std::uint64_t least_states = std::uint64_t{1} << 22;
  std::uint64_t most_levels = 24;  // as large as the next one, that the visited states would fill
};

// Whether sorted runs will be faster from here on.  `complete`: the levels that were expanded,
// `next`: the states of the level after them, `visited`: all states seen, those included.
bool runs_are_faster(const RunsRule& rule, std::size_t words, std::uint64_t visited,
                     std::span<const Level> complete, std::uint64_t next);

}  // namespace spillway
