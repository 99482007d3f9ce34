// Whether some run of a model meets accepting states for ever.
#pragma once

#include "base/budget.h"
#include "base/crew.h"
#include "check/search.h"

namespace spillway {

// Decides it once the search has seen every state, and reports an accepting cycle to the session.
// May throw Stopped and Error(memory).  REQUIRES: the model has an acceptance property, the search
// is complete and can enumerate its states, and it went by levels.
//
// All states are expanded once more to know where they lead.  They get ranks by level and row, and
// then it is decided by passes over the edges (passes/least_prefix.h).  What is reported is the
// same for any number of threads and any memory: the least prefix of levels with an accepting
// cycle, the least state of it on such a cycle, and a shortest cycle through that state.
void decide_acceptance(Session& session, Search& search, Budget& budget, Crew& crew);

}  // namespace spillway
