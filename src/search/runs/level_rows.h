// The whole rows of a stage: states are expanded whole, and levels are kept whole.
//
// As an observer of the merge that finds a level, it keeps the level for traces and checkpoints,
// unless its run is enough for that, and learns in which bits states differ.
#pragma once

#include <memory>
#include <vector>

#include "search/runs/stage_context.h"
#include "storage/levels/level_packer.h"
#include "storage/runs/packing/row_form.h"
#include "storage/runs/team_merge.h"

namespace spillway {

class LevelRows final : public MergeObserver {
 public:
  // `seen`: of all states so far.  REQUIRES: form and context outlive it.
  LevelRows(const StageContext& context, const RowForm& form, const RowSpread& seen,
            std::size_t threads);

  // Calls visit(states) for these rows, whole.  One call per thread at a time.
  template <class Visit>
  void each_whole(unsigned thread, States rows, Visit visit) {
    form_.each_whole(rows, level_shape_.rows, threads_[thread]->whole, visit);
  }

  // Of the next level.  `copied`: its rows are kept, not only looked at.
  void begin_level(bool copied);

  // The rows of a level, in the form of the stage.
  BlockKeeper* blocks() override { return form_.squeezed() || !copied_ ? nullptr : &levels_; }
  void rows(unsigned thread, States rows) override;
  void end_part(unsigned thread) override;
  // Whole rows of the level that cannot be squeezed.  Thread 0; end_part() follows.
  void odd_rows(States states);

  // States that are kept already.
  void learn(unsigned thread, States states) {
    if (learns()) threads_[thread]->seen.add(states);
  }
  // Of all states seen; with whole rows of one word, of none.
  const RowSpread& spread();

 private:
  struct alignas(128) Thread {
    Claim claim;                         // for the next two
    std::vector<Word> whole;             // some rows
    std::unique_ptr<LevelPacker> level;  // nullptr: the blocks of runs are those of levels
    RowSpread seen;                      // of whole rows
  };
  // With squeezed rows, the spread is known.
  bool learns() const { return !form_.squeezed() && form_.row_words() > 1; }

  const RowForm& form_;
  const BlockShape level_shape_;
  LevelKeeper& levels_;
  RowSpread seen_;
  bool copied_ = true;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace spillway
