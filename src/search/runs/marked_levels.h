// The levels of a search that has ended, read off its visited set.
//
// They were not copied.  Marks tell which rows of a run are of which level
// (storage/runs/merge_history.h), so to read a level is to go through the run that has its states.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "search/runs/former_runs.h"
#include "storage/runs/merge_history.h"

namespace spillway {

class MarkedLevels {
 public:
  // `words`: in a whole row.  REQUIRES: history, crew and budget outlive it.
  MarkedLevels(std::unique_ptr<FormerRuns> runs, const MergeHistory& history, Crew& crew,
               std::size_t words, Budget& budget);

  // As LevelReader::each_at_depth().  REQUIRES: the history has the level.
  void each(std::uint64_t level, const std::function<void(unsigned, State)>& visit);
  // Leaves memory to others.
  void to_disk() { runs_->to_disk(); }

 private:
  const std::unique_ptr<FormerRuns> runs_;
  const MergeHistory& history_;
  Crew& crew_;
  const std::size_t words_;
  Budget& budget_;
};

}  // namespace spillway
