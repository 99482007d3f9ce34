#include "search/runs/sorted_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/quantity.h"
#include "search/runs/marked_levels.h"
#include "search/runs/run_stage.h"
#include "search/runs/stage_settings.h"
#include "storage/levels/level_archive.h"
#include "storage/levels/level_log.h"

namespace spillway {
namespace {

class SortedRuns final : public RunsContinuation {
  const SortedRunsSettings wanted;
  const std::size_t words = session.row_words();
  const StageSubject subject{words, words, crew.size(), budget.limit(), checkpoints.blocks()};
  const SortedRunsSettings settings = stage_settings(wanted, subject, budget.limit());
  const std::unique_ptr<Mail> mail = make_mail(session.cluster, lookout, budget, model, crew,
                                               {settings.mail_rows, settings.mail_recent_rows});
  const BlockShape level_shape = block_shape(settings, words);
  ChunkStore store{budget, disk, settings.chunk_bytes, most_block_bytes(wanted, subject),
                   settings.reserve_bytes};
  LevelArchive archive{store};
  LevelKeeper& keeper = checkpoints.keeper(archive);
  const std::unique_ptr<MergeHistory> history =
      may_mark() ? std::make_unique<MergeHistory>(store) : nullptr;
  std::atomic<std::uint64_t> visited{0};  // states
  const StageContext context{session,     budget, crew,          checkpoints, wanted, store,
                             level_shape, keeper, history.get(), visited,     *mail};
  std::unique_ptr<RunStage> stage;
  std::unique_ptr<MarkedLevels> marked;  // instead of the stage, once they are read
  std::function<void()> when_between;
  // rows may get another form when there are this many states
  std::uint64_t squeeze_at = settings.squeeze_states;

 public:
  // REQUIRES: the budget is large enough.
  SortedRuns(const SearchContext& of_search, const SortedRunsSettings& s)
      : RunsContinuation(of_search), wanted(s) {}

  std::uint64_t stored() const override { return visited.load(); }

  void search() override {
    if (checkpoints.resumed() != nullptr) {
      stage = loaded_stage(context);
      change_form();
      if (when_between && levels.level_states() != 0) when_between();
    } else {
      stage = first_stage(context);
      levels.begin(stage->level_size());
    }
    search_levels();
  }

  void continue_from(std::unique_ptr<InterruptibleSearch> ram, Handover left) override {
    const Handover::During during = left.during;
    stage = stage_after_ram(context, std::move(ram), std::move(left));
    if (during == Handover::During::level) levels.end_level(stage->level_size());
    if (during == Handover::During::initial_states) levels.begin(stage->level_size());
    after_level();
    search_levels();
  }

  void when_between_levels(std::function<void()> call) override { when_between = std::move(call); }
  void free_visited() override {
    if (history && history->has_any() && (stage || marked))
      marked_levels().to_disk();
    else
      stage.reset();
    store.buffers().free_spare();
  }

  bool each_visited(const std::function<void(State)>& visit) override {
    stage->each_visited(visit);
    return true;
  }

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    if (history && history->has(depth)) return marked_levels().each(depth, visit);
    keeper.each_row(depth, checkpoints.blocks().value_or(level_shape), crew, visit);
  }

 private:
  std::size_t row_bits() const {
    return expanders.short_rows() ? words * 64 : model.steps().row_bits();
  }

  // Not where all levels are kept anyway.  Goals are decided by reading levels again and again.
  bool may_mark() const {
    const auto is_goal = [](const Property& p) { return p.kind == PropertyKind::reachable; };
    return !checkpoints.blocks() && session.cluster.ranks() == 1 &&
           std::ranges::none_of(model.properties(), is_goal);
  }

  MarkedLevels& marked_levels() {
    if (!marked) {
      if (!stage) throw Stopped{};  // it was, while rows got another form
      marked = std::make_unique<MarkedLevels>(stage->take_runs(), *history, crew, words, budget);
      stage.reset();
      store.buffers().free_spare();
    }
    return *marked;
  }

  // The loop of the pseudocode in sorted_runs.h.
  void search_levels() {
    while (levels.level_states() != 0) {
      levels.start_level();
      stage->expand_level();
      stage->next_level();
      levels.end_level(stage->level_size());
      after_level();
    }
  }

  void after_level() {
    stage->merge_runs();
    between_levels();
    change_form();
    if (when_between && levels.level_states() != 0) when_between();
  }

  // Rows are squeezed as soon as that saves a word.  When a level has a state with bits that were
  // equal in all before it, rows get a form in which it can be squeezed as well.  That goes through
  // all runs, so it is done only when there are twice as many states as the last time.  Otherwise
  // rows stay whole until then.
  void change_form() {
    const RowSpread spread = stage->spread();
    const bool squeeze = visited >= squeeze_at && spread.squeezed_words() < words;
    if (!stage->has_odd() && (stage->squeezed() || !squeeze)) return;
    squeeze_at = 2 * visited;
    const std::unique_ptr<FormerRuns> runs = stage->take_runs();
    stage.reset();  // its memory is for the next one
    store.buffers().free_spare();
    stage = next_stage(context, *runs, spread, squeeze);
    if (squeeze)
      lookout.announce(fmt::format(
          "{} of {} bits differ between states: from now on a state takes {} of {} words",
          with_commas(spread.bits()), with_commas(row_bits()), spread.squeezed_words(), words));
  }
};

}  // namespace

std::uint64_t least_sorted_runs_budget(std::size_t words, bool journal) {
  const std::uint64_t least = least_bytes({}, {words, words, 1, 0});
  if (!journal) return least;
  return least + LevelLog::budget_bytes(LevelLog::form_for(0, BlockShape::of(words), 2 * least));
}

void need_sorted_runs_bytes(const SearchContext& context, const SortedRunsSettings& settings) {
  const std::size_t words = context.session.row_words();
  const std::uint64_t least =
      least_bytes(settings, {words, words, 1, 0, context.checkpoints.blocks()});
  if (context.budget.limit() >= least) return;
  throw Error(
      Fault::usage,
      fmt::format(
          "a memory budget of {} is too small for states of {} words; at least {} is needed",
          bytes_text(context.budget.limit()), with_commas(words), bytes_text(least)));
}

std::unique_ptr<RunsContinuation> make_sorted_runs(const SearchContext& context,
                                                   const SortedRunsSettings& settings) {
  need_sorted_runs_bytes(context, settings);
  return std::make_unique<SortedRuns>(context, settings);
}

std::unique_ptr<Search> make_sorted_runs(const SearchContext& context) {
  return make_sorted_runs(context, SortedRunsSettings{});
}

}  // namespace spillway
