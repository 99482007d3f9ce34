// Finds a state among those that a run has left on disk.
//
// The states of a log come level by level, so the first level with such a state is the least
// distance from an initial state.  Of several in that level the smallest is taken: the same for any
// number of threads.  Levels behind it are not read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/durable/journal.h"
#include "check/trace/trace.h"

namespace spillway {

struct FoundState {
  std::uint64_t level = 0;
  std::vector<Word> row;
  std::uint64_t of_level = 0;  // how many such states its level has
};

struct StateSearch {
  std::optional<FoundState> found;
  std::uint64_t read = 0;     // states that were looked at
  std::uint64_t unknown = 0;  // of them, those in which the expression cannot be evaluated
};

// A state in which proposition 0 of `asked` holds.  Throws Stopped; Error(integrity).  REQUIRES:
// journal.resumed(), and nothing was read from it yet; `asked` has rows as the journal has.
StateSearch find_state(Journal& journal, Crew& crew, const Model& asked);

// The steps of a shortest way to a state that was found, replayed.  Expands the levels before it
// again.  Throws what make_trace() throws.  REQUIRES: find_state() has found it in the journal;
// `model` is the one that was searched.
PackedSteps shortest_way(Journal& journal, Crew& crew, const Model& model, const FoundState& found);

}  // namespace spillway
