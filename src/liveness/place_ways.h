// Ways through places on disk, and the report of a run that was found there.
#pragma once

#include <optional>
#include <vector>

#include "liveness/delayed_levels.h"
#include "liveness/places.h"

namespace spillway {

using PlaceRow = std::vector<Word>;

enum class Steps { all, inside };

// Searches on from what was added to `levels`, by such steps, until `target` is met.  False: it
// cannot be reached.  May throw Finished.
bool reaches(Places& places, DelayedLevels& levels, State target, Steps allowed);

// A shortest way to the target, with both ends.  REQUIRES: reaches() was true, and the levels are
// kept.
std::vector<PlaceRow> way_to(Places& places, DelayedLevels& levels, State target, Steps allowed);

// Ends the search with a run.  `stem` ends where the cycle begins; `loop` are the places after
// that, up to it again.
[[noreturn]] void report_run(Session& session, const Places& places,
                             const std::vector<PlaceRow>& stem, const std::vector<PlaceRow>& loop);

}  // namespace spillway
