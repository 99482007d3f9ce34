// Shares the states of a run out anew, so that it can be resumed on another number of ranks.
//
// What all parts of the run have in their newest common checkpoint is written into the journals of
// the new parts, level by level, each state where it belongs.  The sums over all parts stay the
// same: what cannot be told apart by states, such as transitions, goes to the first of the new
// parts.
#pragma once

#include <memory>
#include <vector>

#include "base/process/crew.h"
#include "check/durable/journal.h"

namespace spillway {

// REQUIRES: the journals of `to` are new, and settings().ranks is the number of them in both.
// Throws Error(integrity) if the logs do not have the states that were expanded.  Makes no
// checkpoint if there is none to begin with.
void redistribute(const std::vector<std::unique_ptr<Journal>>& from,
                  const std::vector<std::unique_ptr<Journal>>& to, Crew& crew);

}  // namespace spillway
