// The search of an attempt, and what is decided once it has seen every state.
#pragma once

#include <optional>

#include "check/inquiry.h"

namespace spillway {

// Searches, from the newest checkpoint if there is one, and decides what only the entire state
// space decides.  The evidence says how far it came; a limit or a request to stop is a reason to
// end, not an error.  Throws Error if something has failed.
void search_and_decide(Inquiry& inquiry);

// True if the model has accepting states, its accepting cycles can be looked for, and the user has
// not excluded them.  REQUIRES: there is a search.
bool decides_acceptance(const Inquiry& inquiry);
// True if accepting cycles of products can be looked for: they have an algorithm of their own, or
// the same.
bool can_decide_runs(const Inquiry& inquiry);

// The end of memory or disk is a limit like others, and once a search has begun the command line is
// not what is wrong.
std::optional<Stop> limit_behind(const Error& error, const Session& session);

}  // namespace spillway
