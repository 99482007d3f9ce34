// The levels of a search, for what all states together decide: also those of other ranks.
//
// Of several ranks, each has the states that belong to it.  When a level is read, a rank reads its
// own states and sends them to the others, sorted and packed, while it takes theirs.  So every rank
// sees the whole level, and decides what a process decides that is alone.  That takes the same
// steps on all ranks: they read the same levels in the same order.
#pragma once

#include <memory>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/session/search.h"

namespace spillway {

struct LevelsOfAllRanksSettings {
  std::size_t rows = 0;  // of a thread, sent together; 0: as the budget allows
};

// Reads levels as the search does, if there are no other ranks.  Otherwise all of them call
// each_at_depth() alike; it throws what Lookout and Cluster throw, and Error(integrity) if a state
// arrives from a rank that it does not belong to.  REQUIRES: all outlive it, and the search keeps
// levels.  Throws Error(memory) if the budget has no room for it.
std::unique_ptr<LevelReader> levels_of_all_ranks(Session& session, Search& search, Budget& budget,
                                                 Crew& crew,
                                                 const LevelsOfAllRanksSettings& settings = {});

}  // namespace spillway
