// Ways through set states on disk, and the report of a run that was found there.
#pragma once

#include <optional>
#include <vector>

#include "papers/cycles/delayed_levels.h"
#include "papers/cycles/set_states.h"

namespace spillway {

using SetStateRow = std::vector<Word>;

enum class Steps { all, inside };

// Searches on from what was added to `levels`, by such steps, until `target` is met.  False: it
// cannot be reached.  May throw Finished.
bool reaches(SetStates& set_states, DelayedLevels& levels, State target, Steps allowed);

// A shortest way to the target, with both ends.  REQUIRES: reaches() was true, and the levels are
// kept.
std::vector<SetStateRow> way_to(SetStates& set_states, DelayedLevels& levels, State target,
                                Steps allowed);

// Ends the search with a run.  `stem` ends where the cycle begins; `loop` are the set states after
// that, up to it again.
[[noreturn]] void report_run(Session& session, const SetStates& set_states,
                             const std::vector<SetStateRow>& stem,
                             const std::vector<SetStateRow>& loop);

}  // namespace spillway
