#include "safety/sorted_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/quantity.h"
#include "safety/run_stage.h"
#include "storage/level_archive.h"

namespace spillway {
namespace {

class SortedRuns final : public Successor {
  const SortedRunsSettings wanted;
  const std::size_t words = run.model().words();
  const SortedRunsSettings settings = settings_for(words);
  const BlockShape level_shape = block_shape(settings, words);
  ChunkStore store{budget, disk, settings.chunk_bytes, most_block_bytes() + sizeof(std::uint64_t),
                   settings.reserve_bytes};
  LevelArchive archive{store};
  LevelKeeper& levels = journal != nullptr ? static_cast<LevelKeeper&>(journal->levels()) : archive;
  std::atomic<std::uint64_t> met{0};
  const StageMeans means{run, budget, crew, journal, wanted, store, level_shape, levels, met};
  std::unique_ptr<RunStage> stage;
  std::uint64_t squeeze_at = settings.squeeze_states;  // rows may get another form when there are so many states

 public:
  SortedRuns(Means of_search, const SortedRunsSettings& s) : Successor(of_search), wanted(s) {}

  std::uint64_t stored() const override { return met.load(); }

  void search() override {
    stage = RunStage::make(means, RowSpread(words), false);
    if (journal != nullptr && journal->resumed()) {
      stage->load();
      change_form(false);
    } else {
      stage->begin();
      run.begin(stage->level_size());
    }
    expand_all();
  }

  void go_on(std::unique_ptr<Leavable> ram) override {
    const bool begun = ram->level_begun();
    stage = RunStage::make(means, RowSpread(words), false);
    stage->go_on(std::move(ram));
    if (begun)
      run.end_level(stage->level_size());
    else
      run.begin(stage->level_size());
    stage->merge_runs();
    between_levels();
    change_form(true);  // there is more memory now
    expand_all();
  }

  void free_visited() override { stage.reset(); }

  bool each_visited(const std::function<void(State)>& visit) override {
    stage->each_visited(visit);
    return true;
  }

  void each_at_depth(std::uint64_t depth, const std::function<void(unsigned, State)>& visit) override {
    const BlockShape kept = journal != nullptr ? journal->levels().form().shape : level_shape;
    with_width(words, [&](auto width) {
      BlockUnpacker<width()> unpacker(kept);
      std::vector<Word> rows(kept.rows * words);
      levels.each(depth, [&](Bytes block) {
        unpacker.open(block);
        unpacker.unpack(rows.data());
        const States states(rows.data(), unpacker.rows(), words);
        crew.each([&](unsigned w) {
          for (std::size_t i = w; i < states.size(); i += crew.size()) visit(w, states[i]);
        });
      });
    });
  }

 private:
  SortedRunsSettings settings_for(std::size_t of_words) const {
    return stage_settings(wanted, of_words, crew.size(), budget.limit(), journal);
  }

  // Of rows of any form.
  std::size_t most_block_bytes() const {
    std::size_t most = 0;
    for (std::size_t w = 1; w <= words; ++w) most = std::max(most, block_shape(settings_for(w), w).most_bytes());
    return most;
  }

  void expand_all() {
    while (stage->level_size() != 0) {
      stage->expand_level();
      stage->next_level();
      run.end_level(stage->level_size());
      stage->merge_runs();
      between_levels();
      change_form(false);
    }
  }

  // Rows are squeezed as soon as that saves a word.  When a level has a state with bits that were alike in all before
  // it, rows get a form in which it can be squeezed as well.  That goes through all runs, so it is done only when there
  // are twice as many states as the last time; otherwise rows stay whole for so long.  `renew`: there is more memory
  // than before.
  void change_form(bool renew) {
    const RowSpread spread = stage->spread();
    const bool squeeze = met >= squeeze_at && spread.squeezed_words() < words;
    if (!renew && !stage->has_odd() && (stage->squeezed() || !squeeze)) return;
    if (squeeze || stage->has_odd()) squeeze_at = 2 * met;
    std::unique_ptr<RunStage> next = RunStage::make(means, spread, squeeze);
    next->take_over(*stage);
    stage = std::move(next);
    if (squeeze)
      run.announce(fmt::format("{} of {} bits of a state differ: it takes {} of {} words from now on",
                               with_commas(spread.bits()), with_commas(run.model().row_bits()), spread.squeezed_words(),
                               words));
  }
};

}  // namespace

std::unique_ptr<Successor> make_sorted_runs(Means means, const SortedRunsSettings& settings) {
  return std::make_unique<SortedRuns>(means, settings);
}

std::unique_ptr<Search> make_sorted_runs(Means means) { return make_sorted_runs(means, SortedRunsSettings{}); }

}  // namespace spillway
