// A stage of a sorted-run search: the levels during which rows have one form, whole or squeezed.
//
// The search says what happens in which order, a stage does it for rows of so many words.  When
// rows get another form, another stage takes over what this one has.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

#include "check/search.h"
#include "safety/ram.h"
#include "safety/sorted_runs.h"
#include "safety/stage_settings.h"
#include "storage/levels/level_keeper.h"
#include "storage/runs/row_squeeze.h"

namespace spillway {

// What all stages of a search share.
struct StageMeans {
  Session& session;
  Budget& budget;
  Crew& crew;
  Journal* journal;
  const SortedRunsSettings& wanted;
  ChunkStore& store;
  const BlockShape& level_shape;    // of blocks of whole rows, as levels are kept
  LevelKeeper& keeper;              // copies of all levels, for traces
  std::atomic<std::uint64_t>& met;  // states
};

class RunStage {
 public:
  // `spread`: of all states met so far; `squeezed`: rows are squeezed by it.
  static std::unique_ptr<RunStage> make(const StageMeans& means, const RowSpread& spread,
                                        bool squeezed);
  virtual ~RunStage() = default;

  virtual bool squeezed() const = 0;
  // Of the newest level, which is not expanded yet.
  virtual std::uint64_t level_size() const = 0;

  // One of these comes first; the last two are for whole rows -------------------------------------
  virtual void begin() = 0;  // with the initial states
  virtual void take_over(RunStage& before) = 0;
  virtual void load() = 0;  // what the journal has
  // to the end of the level in which memory was full
  virtual void go_on(std::unique_ptr<Leavable> ram) = 0;

  // Then, for each level --------------------------------------------------------------------------
  virtual void expand_level() = 0;
  virtual void next_level() = 0;
  virtual void merge_runs() = 0;

  // Between two levels ----------------------------------------------------------------------------
  // The level has states that cannot be squeezed: another stage has to take over.
  virtual bool has_odd() const = 0;
  // Of all states met; with whole rows of one word, of none.
  virtual const RowSpread& spread() = 0;
  // Calls visit for all states met, each once, in order.  REQUIRES: there are no odd ones.
  virtual void each_visited(const std::function<void(State)>& visit) = 0;

  // For the stage that takes over -----------------------------------------------------------------
  // Memory is needed for others; nothing but the runs is left.
  virtual void free_buffers() = 0;
  // the last one, or, with odd states, the last two are the level
  virtual std::size_t runs() const = 0;
  virtual std::uint64_t run_size(std::size_t run) const = 0;
  // What a thread takes for it, at most.
  virtual std::uint64_t bytes_to_give() const = 0;
  // Calls take for part number `part` of `parts` of a run: whole rows, in order.  Any thread.
  virtual void give(std::size_t run, std::size_t part, std::size_t parts,
                    const std::function<void(States)>& take) const = 0;
  virtual void drop(std::size_t run) = 0;  // which is empty then
};

}  // namespace spillway
