// What earlier processes have done of a search, as far as a session counts it.
#pragma once

#include <cstdint>
#include <vector>

#include "check/facts/finding.h"
#include "check/facts/statistics.h"
#include "model/coverage.h"

namespace spillway {

struct EarlierWork {
  double seconds = 0;         // that the search has taken so far
  std::vector<Level> levels;  // completed levels
  // Of the next level, whose states are in the log; 0 if the search is complete.
  std::uint64_t level_states = 0;
  // The search is complete, and nothing was found: nothing else of it is needed, not even its log.
  // Only of products.
  bool decided = false;
  std::vector<std::uint64_t> covered;  // cover properties that have held
  // Violations in states of the completed levels, by kind and property, without what a rule that
  // failed had to say.  Only of a search that went on (Limits::max_errors).
  std::vector<Finding> found;
  Observed observed;  // in the completed levels; empty: the model observes nothing

  std::uint64_t states() const;  // of the completed levels
};

}  // namespace spillway
