// The visited set of a stage that has ended, for the next one, whose rows have another form.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "search/runs/stage_context.h"
#include "storage/runs/packing/row_form.h"
#include "storage/runs/team_merge.h"

namespace spillway {

class FormerRuns {
 public:
  virtual ~FormerRuns() = default;

  // The last run is the current level, or the last two are, the second with the states that could
  // not be squeezed.
  virtual std::size_t runs() const = 0;
  virtual bool level_in_two() const = 0;
  virtual std::uint64_t size(std::size_t run) const = 0;

  // Calls take(states) for part number `part` of `parts` of a run: whole rows, in order.  Any
  // thread.
  virtual void give(std::size_t run, std::size_t part, std::size_t parts,
                    const std::function<void(States)>& take) const = 0;
  // What a thread takes from the budget for it, at most.
  virtual std::uint64_t bytes_to_give() const = 0;
  virtual RunLabel label(std::size_t run) const = 0;  // also after drop()
  // Moves all runs to disk.
  virtual void to_disk() = 0;
  // Frees a run; it is empty then.
  virtual void drop(std::size_t run) = 0;
};

template <std::size_t W>
class FormerRunsOf final : public FormerRuns {
 public:
  // `odd`: the states of the level that could not be squeezed.
  FormerRunsOf(const StageContext& context, const BlockShape& shape, RowForm form,
               std::size_t chunks_ahead, std::vector<SortedRun<W>> runs, SortedRun<0> odd)
      : store_(context.store),
        shape_(shape),
        level_shape_(context.level_shape),
        form_(std::move(form)),
        chunks_ahead_(chunks_ahead),
        runs_(std::move(runs)),
        odd_(std::move(odd)),
        level_in_two_(odd_.size() != 0) {
    for (const SortedRun<W>& run : runs_) labels_.push_back(run.label());
  }

  std::size_t runs() const override { return runs_.size() + (level_in_two_ ? 1 : 0); }
  bool level_in_two() const override { return level_in_two_; }
  std::uint64_t size(std::size_t run) const override {
    return run == runs_.size() ? odd_.size() : runs_[run].size();
  }

  void give(std::size_t run, std::size_t part, std::size_t parts,
            const std::function<void(States)>& take) const override {
    std::vector<Word> whole;
    if (run == runs_.size())
      give_rows(odd_, part, parts, take);
    else
      give_rows(runs_[run], part, parts,
                [&](States rows) { form_.each_whole(rows, level_shape_.rows, whole, take); });
  }

  std::uint64_t bytes_to_give() const override {
    const std::uint64_t odd =
        level_in_two_ ? bytes_of(level_shape_, BlockUnpacker<0>::bytes(level_shape_)) : 0;
    return store_.buffers().bytes() +
           std::max(bytes_of(shape_, BlockUnpacker<W>::bytes(shape_)), odd);
  }

  RunLabel label(std::size_t run) const override {
    return labels_[std::min(run, labels_.size() - 1)];  // odd states are of the newest level
  }
  void to_disk() override {
    for (SortedRun<W>& run : runs_) run.to_disk(store_);
    odd_.to_disk(store_);
  }

  void drop(std::size_t run) override {
    if (run == runs_.size())
      odd_ = SortedRun<0>(store_.budget(), level_shape_);
    else
      runs_[run] = SortedRun<W>(store_.budget(), shape_);
  }

 private:
  // A block of rows as they are, and one of whole rows.
  std::uint64_t bytes_of(const BlockShape& shape, std::uint64_t unpacker) const {
    return unpacker +
           (shape.rows * shape.words + level_shape_.rows * level_shape_.words) * sizeof(Word);
  }

  template <std::size_t U, class Take>
  void give_rows(const SortedRun<U>& from, std::size_t part, std::size_t parts, Take take) const {
    const BlockShape& shape = from.shape();
    const Claim claim(store_.budget(), bytes_of(shape, BlockUnpacker<U>::bytes(shape)));
    BlockUnpacker<U> unpacker(shape);
    std::vector<Word> rows(shape.rows * shape.words);
    const std::uint64_t end = from.blocks() * (part + 1) / parts;
    each_block(from, from.blocks() * part / parts, end, store_.buffers(), chunks_ahead_, unpacker,
               rows, take);
  }

  ChunkStore& store_;
  const BlockShape shape_;
  const BlockShape level_shape_;
  const RowForm form_;
  const std::size_t chunks_ahead_;
  std::vector<SortedRun<W>> runs_;
  SortedRun<0> odd_;
  const bool level_in_two_;
  std::vector<RunLabel> labels_;  // of runs_
};

}  // namespace spillway
