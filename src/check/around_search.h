// What is done around a search: it resumes from a checkpoint, and when it has ended, what it kept
// is verified, counted and saved.
#pragma once

#include <string>

#include "check/journal.h"
#include "check/search.h"
#include "check/session.h"
#include "check/statistics.h"

namespace spillway {

// Resumes from the newest checkpoint, if there is one.
void resume(Session& session, Journal& journal);
// What the search has kept must be what was expanded.  Throws Error(integrity) if it is not.
void verify_visited(const Session& session, Search& search);
// Counts each state once, where it was first found.
void count_once(Search& search, Statistics& statistics);
// Makes a last checkpoint, of all completed levels; none is needed where nothing is left to do
// (`final`), unless the journal wants it.  Returns why there is none, if there should be one.
std::string save(const Session& session, Search& search, Journal& journal, bool final);

}  // namespace spillway
