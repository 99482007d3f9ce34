#include "search/runs/run_stage.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "search/runs/candidates.h"
#include "search/runs/first_runs.h"
#include "search/runs/level_rows.h"
#include "search/runs/odd_states.h"
#include "search/runs/stage_settings.h"
#include "storage/runs/run_set.h"

namespace spillway {
namespace {

StageSubject subject_of(const StageContext& context, const RowForm& form) {
  return {form.words(), form.row_words(), context.crew.size(), context.budget.limit(),
          context.checkpoints.blocks()};
}

// Divides the memory that is left.
SortedRunsSettings divide_memory(const StageContext& context, const RowForm& form) {
  const SortedRunsSettings settings =
      stage_settings(context.wanted, subject_of(context, form), context.store.buffers().left());
  if (settings.threads == 0)
    throw Error(Fault::memory, "there is no memory left for a sorted-run search");
  context.store.leave(settings.reserve_bytes);
  return settings;
}

TeamSizes team_sizes(const SortedRunsSettings& settings) {
  return {.threads = settings.threads,
          .merge_rows = settings.merge_rows,
          .sort_rows = settings.candidate_rows,
          .chunks_ahead = settings.chunks_ahead,
          .parts = settings.parts,
          .alone_rows = settings.alone_rows,
          .reserve_bytes = settings.reserve_bytes};
}

template <std::size_t W>
class StageOf final : public RunStage {
  using Member = typename Team<W>::Member;

  const StageContext context;
  const RowForm form;
  const SortedRunsSettings settings = divide_memory(context, form);
  Team<W> team{context.crew, context.store, block_shape(settings, form.words()),
               team_sizes(settings), [this] { context.session.lookout.look_up(); }};
  // the newest run is the level
  RunSet<W> visited{team, {settings.fan_in, settings.most_runs}, context.history};
  SortedRun<0> odd_level{context.budget, context.level_shape};  // but its odd states
  LevelRows level_rows;
  std::optional<OddStates> odd;                            // candidates that cannot be squeezed
  std::vector<std::unique_ptr<Candidates<W>>> candidates;  // of each thread
  std::vector<SortedRun<W>> earlier_candidates;
  std::vector<Mail::Receive> receivers;  // of each thread

 public:
  StageOf(const StageContext& of_search, const RowForm& of_rows, const RowSpread& seen)
      : context(of_search), form(of_rows), level_rows(context, form, seen, team.size()) {
    for (unsigned i = 0; i < team.size(); ++i)
      candidates.push_back(std::make_unique<Candidates<W>>(
          context.budget, context.store, team.shape(), form.squeeze(), settings.cache_rows,
          settings.candidate_rows, settings.sort_fan_in, team.member(i).sorter));
    for (unsigned i = 0; i < team.size(); ++i) receivers.push_back(receiver(i));
    if (form.squeezed())
      odd.emplace(context, odd_rows(settings, subject_of(context, form)), team.size());
  }

  // Where a stage begins: one of these is called first --------------------------------------------

  void begin(States initial) {
    const Cluster& cluster = context.session.cluster;
    for (const State state : initial)
      if (cluster.owner(state) == cluster.rank())
        candidates[0]->add({state.data(), 1, state.size()}, [](State) {});  // whole: none is odd
    take_late();
    next_level();
  }

  // `runs`: the visited set, `unexpanded`: of the level, `found`: candidates, all from a RAM
  // search.
  void begin(std::vector<SortedRun<W>> runs, std::vector<SortedRun<W>> unexpanded,
             std::vector<SortedRun<W>> found) {
    for (SortedRun<W>& run : runs) visited.append(std::move(run));
    earlier_candidates = std::move(found);
    for (const SortedRun<W>& rows : unexpanded) expand(rows);
    unexpanded.clear();
    take_late();
    next_level();
  }

  void begin(FormerRuns& before) {
    for (std::size_t i = 0; i < before.runs(); ++i) {
      SortedRun<W> run = in_this_form(before, i);
      run.set_label(before.label(i));
      visited.append(std::move(run));
      before.drop(i);
    }
    if (before.level_in_two()) visited.join_newest();
  }

  // What was kept becomes runs again, its last level the newest of them.
  void begin(Checkpoints& checkpoints) {
    const InPhase loading(context.session.lookout, Phase::loading);
    const std::uint64_t last = checkpoints.resumed()->levels.size();
    std::uint64_t level = 0;
    std::atomic<std::uint64_t> rows{0};
    const auto prepare = [&](std::uint64_t of) {
      context.session.lookout.look_up();
      const bool full = rows >= settings.candidate_rows * team.size() && of != last;
      if (full || (of == last && level != last)) add_loaded(rows.exchange(0));
      level = of;
      return true;
    };
    const auto take = [&](unsigned thread, States states) {
      candidates[thread]->sort().add(states);
      level_rows.learn(thread, states);
      rows += states.size();
      return states.size();
    };
    const Model& model = context.session.model;
    if (team.size() == context.crew.size()) {
      checkpoints.load(context.crew, &model, {prepare, take});
    } else {
      Crew fewer(static_cast<unsigned>(team.size()));
      checkpoints.load(fewer, &model, {prepare, take});
    }
    if (level != last) add_loaded(rows.exchange(0));
    add_loaded(rows);
    context.session.levels.have_stored(context.stored);
  }

  // RunStage --------------------------------------------------------------------------------------

  std::uint64_t level_size() const override { return visited.newest().size() + odd_level.size(); }
  bool squeezed() const override { return form.squeezed(); }
  bool has_odd() const override { return odd_level.size() != 0; }
  RowSpread spread() override { return level_rows.spread(); }

  void expand_level() override {
    context.mail.begin(static_cast<unsigned>(team.size()));
    expand(visited.newest());
    take_late();
    context.mail.finish(receivers);
  }

  void next_level() override {
    const InPhase sieving(context.session.lookout, Phase::sieving);
    const bool marked = marks_next_level();
    level_rows.begin_level(!marked);
    SortedRun<W> level = visited.subtract(sorted_candidates(), &level_rows);
    if (context.history != nullptr) level.set_label(context.history->begin_level(marked));
    visited.append(std::move(level));
    forget_candidates();
    if (odd) odd_level = odd->take(level_rows);
    context.stored += level_size();
    context.session.levels.have_stored(context.stored);
  }

  void merge_runs() override {
    const InPhase merging(context.session.lookout, Phase::merging);
    // Without a finding nobody asks for earlier levels if the search ends here.
    visited.set_sources(context.session.findings.empty() ? Sources::spent : Sources::kept);
    visited.merge_tiers();
  }

  void each_visited(const std::function<void(State)>& visit) override {
    visited.each([&](States rows) {
      level_rows.each_whole(0, rows, [&](States states) {
        for (const State state : states) visit(state);
      });
    });
  }

  std::unique_ptr<FormerRuns> take_runs() override {
    return std::make_unique<FormerRunsOf<W>>(context, team.shape(), form, settings.chunks_ahead,
                                             visited.take_runs(), std::move(odd_level));
  }

 private:
  // A level that is found again by its marks takes little space, but reading it goes through all
  // states that it was merged with.  So that does for wide levels only.  Levels are as wide as the
  // one before.
  bool marks_next_level() const {
    constexpr std::uint64_t kNarrow = 128;  // times as many states are visited
    if (context.history == nullptr || visited.runs() == 0) return false;
    const std::uint64_t rows = level_size();
    return rows >= settings.marked_rows && rows >= context.stored / kNarrow;
  }

  void expand(const SortedRun<W>& run) {
    each_in_parts(team, run, [&](const Member& member, States rows) {
      level_rows.each_whole(member.number, rows,
                            [&](States states) { expand(member.number, states); });
    });
  }

  void expand(unsigned thread, States states) {
    LevelAccounts& levels = context.session.levels;
    Expander& expander = context.session.expanders[thread];
    Candidates<W>& found = *candidates[thread];
    const auto add_odd = [&](State t) { odd->add(thread, t); };
    for (const State s : states) {
      expander.expand(s);
      if (!levels.discarding()) found.add(own(thread, expander.batch()), add_odd);
      expander.clear();
    }
  }

  // Successors that are told only now.
  void take_late() {
    if (context.session.levels.discarding()) return;
    Expanders& expanders = context.session.expanders;
    for (States late = expanders.late(); !late.empty(); late = expanders.late()) {
      candidates[0]->add(own(0, late), [this](State t) { odd->add(0, t); });
      expanders[0].clear();
    }
  }

  // Those that belong to this rank.  The others are on their way.
  States own(unsigned thread, States successors) {
    return context.mail.sort_out(thread, successors, receivers[thread]);
  }

  // Of states that other ranks have found.
  Mail::Receive receiver(unsigned thread) {
    return [this, thread](States states) {
      if (context.session.levels.discarding()) return;
      candidates[thread]->add(states, [&](State t) { odd->add(thread, t); });
    };
  }

  RowSources<W> sorted_candidates() {
    std::uint64_t most = 0;
    for (const auto& some : candidates)
      most = std::max<std::uint64_t>(most, some->sort().rows_in_memory());
    team.share_out(candidates.size(), most,
                   [&](const Member&, std::size_t i) { candidates[i]->sort().settle(); });
    RowSources<W> all{std::exchange(earlier_candidates, {}), {}};
    for (const auto& some : candidates) some->sort().give_to(all);
    return all;
  }

  void forget_candidates() {
    for (const auto& some : candidates) some->sort().clear();
  }

  // The states that were loaded become a run: `rows` rows, if none appears twice.
  void add_loaded(std::uint64_t rows) {
    SortedRun<W> loaded = merge_rows(team, sorted_candidates());
    forget_candidates();
    if (loaded.size() != rows) throw Error(Fault::integrity, "corrupt log: a state appears twice");
    context.stored += rows;
    visited.add(std::move(loaded));
  }

  // A run of the stage before.
  SortedRun<W> in_this_form(const FormerRuns& before, std::size_t run) {
    const std::uint64_t rows = before.size(run);
    std::vector<SortedRun<W>> parts;
    for (std::size_t i = 0; i < team.parts(rows); ++i)
      parts.emplace_back(context.budget, team.shape());
    const auto write_part = [&](Member& member, std::size_t part) {
      RunWriter<W> writer(context.store, member.packer);
      before.give(run, part, parts.size(), [&](States states) {
        team.poll(member);
        writer.add(form.of_whole(states, member.rows), states.size());
      });
      parts[part] = writer.finish();
    };
    const std::uint64_t bytes = team.writer_bytes() + before.bytes_to_give() + team.ahead_bytes();
    team.share_out(parts.size(), rows, write_part, team.threads_with(bytes));
    return joined(parts);
  }
};

// What the RAM search knows of levels.  A journal has them already.
template <std::size_t W>
void keep_levels(const StageContext& context, FirstRuns<W>& writer, const Handover& left) {
  for (std::uint64_t depth = 0; depth < left.levels; ++depth) {
    context.keeper.begin_level();
    if (context.history != nullptr) context.history->begin_level(false);
    writer.keep_copies([&](const UseRows& use) { left.each_of_level(depth, use); });
  }
}

template <std::size_t W>
std::unique_ptr<RunStage> after_ram(const StageContext& context,
                                    std::unique_ptr<InterruptibleSearch> ram, Handover left) {
  const RowForm form(context.level_shape.words);
  std::optional<InPhase> switching(std::in_place, context.session.lookout, Phase::switching);
  FirstRuns<W> writer(context, subject_of(context, form));
  RowSpread seen(form.words());
  RowSpread* const learned = form.words() > 1 ? &seen : nullptr;
  std::vector<SortedRun<W>> visited;
  std::vector<SortedRun<W>> unexpanded;
  std::vector<SortedRun<W>> candidates;
  left.give_visited(
      [&](Word* rows, std::size_t count) { writer.write(rows, count, visited, learned); },
      [&](const EachRows& each) { writer.write_copies(each, visited, learned); });
  for (const SortedRun<W>& run : visited) context.stored += run.size();
  if (!context.checkpoints.blocks()) keep_levels(context, writer, left);
  writer.write_copies(left.unexpanded, unexpanded, nullptr);
  writer.write_copies(left.candidates, candidates, nullptr);
  ram.reset();  // its memory is free for what follows
  for (unsigned i = 0; i < context.crew.size(); ++i) context.session.expanders[i].clear();
  auto stage = std::make_unique<StageOf<W>>(context, form, seen);
  switching.reset();
  stage->begin(std::move(visited), std::move(unexpanded), std::move(candidates));
  return stage;
}

// Calls begin(stage) for a new stage.
template <class Begin>
std::unique_ptr<RunStage> begun(const StageContext& context, const RowForm& form,
                                const RowSpread& seen, Begin begin) {
  return with_width(form.words(), [&](auto width) -> std::unique_ptr<RunStage> {
    auto stage = std::make_unique<StageOf<width()>>(context, form, seen);
    begin(*stage);
    return stage;
  });
}

}  // namespace

std::unique_ptr<RunStage> first_stage(const StageContext& context) {
  const std::size_t words = context.level_shape.words;
  return begun(context, RowForm(words), RowSpread(words),
               [&](auto& stage) { stage.begin(context.session.expanders.initial()); });
}

std::unique_ptr<RunStage> loaded_stage(const StageContext& context) {
  const std::size_t words = context.level_shape.words;
  return begun(context, RowForm(words), RowSpread(words),
               [&](auto& stage) { stage.begin(context.checkpoints); });
}

std::unique_ptr<RunStage> next_stage(const StageContext& context, FormerRuns& before,
                                     const RowSpread& spread, bool squeezed) {
  const RowForm form = squeezed ? RowForm(spread) : RowForm(spread.row_words());
  return begun(context, form, spread, [&](auto& stage) { stage.begin(before); });
}

std::unique_ptr<RunStage> stage_after_ram(const StageContext& context,
                                          std::unique_ptr<InterruptibleSearch> ram, Handover left) {
  return with_width(context.level_shape.words, [&](auto width) {
    return after_ram<width()>(context, std::move(ram), std::move(left));
  });
}

}  // namespace spillway
