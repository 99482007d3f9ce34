// A stage of a sorted-run search: the levels during which rows have one form, whole or squeezed.
//
// The search says what happens in which order.  A stage does it for rows of its width.  There are
// four ways to a stage, and each has a function below.  When rows get another form, a new stage is
// made of the visited set of the old one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "search/ram/handover.h"
#include "search/runs/former_runs.h"
#include "search/runs/stage_context.h"
#include "storage/runs/packing/row_squeeze.h"

namespace spillway {

class RunStage {
 public:
  virtual ~RunStage() = default;

  // The number of states of the current level, which is not expanded yet.
  virtual std::uint64_t level_size() const = 0;

  // For each level, in this order.
  virtual void expand_level() = 0;  // makes candidates
  virtual void next_level() = 0;    // the candidates that are not visited are the current level
  virtual void merge_runs() = 0;    // of the visited set, if some are of similar size

  // Between two levels ----------------------------------------------------------------------------
  virtual bool squeezed() const = 0;
  // True if some states of the level cannot be squeezed: the next stage has to begin.
  virtual bool has_odd() const = 0;
  // Of all states seen; with whole rows of one word, of none.
  virtual RowSpread spread() = 0;
  // Calls visit for all states seen, each once, in order.  REQUIRES: there are no odd ones.
  virtual void each_visited(const std::function<void(State)>& visit) = 0;
  // Gives the visited set away.  The stage can only be destroyed then.
  virtual std::unique_ptr<FormerRuns> take_runs() = 0;
};

// All of these throw Error(memory) if there is no memory for one thread, which
// need_sorted_runs_bytes() has made sure of.

// Rows are whole.  The level is the initial states.
std::unique_ptr<RunStage> first_stage(const StageContext& context);
// Rows are whole.  The visited set is what the journal has, the level its last one.
std::unique_ptr<RunStage> loaded_stage(const StageContext& context);
// Rows are whole.  Continues to the end of the level in which memory was full.
std::unique_ptr<RunStage> stage_after_ram(const StageContext& context,
                                          std::unique_ptr<InterruptibleSearch> ram, Handover left);
// Rows are squeezed by `spread`, or whole.  The visited set and the level are those of the stage
// before.
std::unique_ptr<RunStage> next_stage(const StageContext& context, FormerRuns& before,
                                     const RowSpread& spread, bool squeezed);

}  // namespace spillway
