// Properties that only the whole state space decides: what must be reached somewhere, and from everywhere.
#pragma once

#include "base/budget.h"
#include "run/run.h"
#include "run/search.h"

namespace spillway {

// Decides the cover and reachable properties once the search has seen every state, and tells the run of those that
// are violated.  May throw Finished.
//
// A reachable property is decided backwards without stored edges: the set of states that can reach the goal grows,
// level by level from the deepest up, by states that have a successor in it, until a pass adds nothing.
void decide_goals(Run& run, Search& search, Budget& budget);

}  // namespace spillway
