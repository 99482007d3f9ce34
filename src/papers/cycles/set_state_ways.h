// Shortest ways through set states on disk, and the report of a run that was found there.
#pragma once

#include <optional>
#include <vector>

#include "papers/cycles/delayed_levels.h"
#include "papers/cycles/set_states.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

class SetStateNumbers;

using SetStateRow = std::vector<Word>;

enum class Steps { all, inside };

// Searches on from what was added to `levels`, by such steps, until `target` is met.  False: it
// cannot be reached.  May throw Finished.
bool reaches(SetStates& set_states, DelayedLevels& levels, State target, Steps allowed);

// A shortest way to the target, with both ends.  REQUIRES: reaches() was true, and the levels are
// kept.
std::vector<SetStateRow> way_to(SetStates& set_states, DelayedLevels& levels, State target,
                                Steps allowed);

enum class FirstStep { any, accepting };

// The set states after `from`, up to `to`, on a shortest path of at least one step within a part:
// breadth-first with all layers kept, then backwards through them.  `store`: for set states without
// a note.  `visited`: of set states; what it has does not matter.  Throws Error(internal) if there
// is none.  May throw Finished.
std::vector<SetStateRow> layered_path(SetStates& set_states, SetStateNumbers& numbers,
                                      BitVector& visited, Store& store, State from, State to,
                                      FirstStep first);

// Ends the search with a run.  `stem` ends where the cycle begins; `loop` are the set states after
// that, up to it again.
[[noreturn]] void report_run(Session& session, const SetStates& set_states,
                             const std::vector<SetStateRow>& stem,
                             const std::vector<SetStateRow>& loop);

}  // namespace spillway
