// What a search that has ended counts once more.
#pragma once

#include "check/facts/statistics.h"
#include "check/session/search.h"
#include "check/session/session.h"

namespace spillway {

// What the search has kept must be what was expanded.  Throws Error(integrity) if it is not.
void verify_visited(const Session& session, Search& search);
// Counts each state once, where it was first found.
void count_once(Search& search, Statistics& statistics);

}  // namespace spillway
