// The status of a run of several ranks, put together from those of its parts.
#pragma once

#include <string>
#include <vector>

#include "report/status.h"

namespace spillway {

// `parts`: those of the ranks that this machine has, with checkpoints of the same generation as far
// as they have one, in the order of their ranks.  REQUIRES: there is at least one.
RunStatus status_of_ranks(const std::string& directory, std::vector<RankPartStatus> parts);

// One line for each rank, and one that says how unequal they are.
std::string ranks_text(const RunStatus& status);

}  // namespace spillway
