#include "search/automatic.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/quantity.h"
#include "search/runs/stage_settings.h"

namespace spillway {
namespace {

// What a search on disk takes over from one in memory.
template <class Runs>
class Automatic : public LevelSearch, public LevelReader {
 public:
  using MakeRam = std::function<std::unique_ptr<InterruptibleSearch>(const SearchContext&)>;
  using MakeRuns = std::function<std::unique_ptr<Runs>(const SearchContext&)>;

  // `settings`: of the sorted runs.  REQUIRES: the budget is large enough for them.
  Automatic(const SearchContext& context, const SortedRunsSettings& settings, MakeRam of_ram,
            MakeRuns of_runs)
      : LevelSearch(context),
        with_acceptance(context.with_acceptance),
        minimal(context.minimal),
        make_ram(std::move(of_ram)),
        make_runs(std::move(of_runs)),
        ram_budget(budget, budget.limit() - to_write_runs(settings)) {}

  void search() override {
    ram = make_ram(with(ram_budget));
    std::optional<Handover> left = ram->search_until_full();
    if (!left) return;
    if (left->during == Handover::During::loading) {
      ram.reset();
      runs = make_runs(with(budget));
      return runs->search();
    }
    first_level =
        left->during == Handover::During::initial_states ? 0 : levels.counts().levels.size() + 1;
    lookout.announce(fmt::format(
        "{} at {} states, in level {}: continuing with sorted runs, on disk where needed",
        left->memory_is_full ? "memory is full" : "levels are wide and grow",
        with_commas(ram->stored()), with_commas(first_level)));
    runs = make_runs(with(budget));
    runs->continue_from(std::move(ram), std::move(*left));
  }

  std::uint64_t stored() const override { return runs ? runs->stored() : ram ? ram->stored() : 0; }

  LevelReader* level_reader() override { return this; }

  bool each_visited(const std::function<void(State)>& visit) override {
    return runs ? runs->each_visited(visit) : ram->each_visited(visit);
  }

  void complete_level() override {
    if (ram && !runs) ram->complete_level();
  }

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    if (!runs) return ram->each_at_depth(depth, visit);
    runs->level_reader()->each_at_depth(depth, visit);
  }

 private:
  // What RAM leaves for writing the first runs.
  std::uint64_t to_write_runs(const SortedRunsSettings& settings) const {
    const std::size_t words = session.row_words();
    const StageSubject subject{words, words, crew.size(), budget.limit(), checkpoints.blocks()};
    return std::max(budget.limit() / 8, hand_over_bytes(settings, subject));
  }

  SearchContext with(Budget& some) {
    return {session, some, crew, disk, {}, checkpoints, with_acceptance, false, minimal};
  }

  const bool with_acceptance, minimal;
  const MakeRam make_ram;
  const MakeRuns make_runs;
  Budget ram_budget;
  std::unique_ptr<InterruptibleSearch> ram;

 protected:
  std::unique_ptr<Runs> runs;
  std::uint64_t first_level = 0;  // that is not complete at the switch
};

// The levels before the switch are not kept.
class AutomaticStates final : public Automatic<RunsContinuation> {
  const SortedRunsSettings runs_settings;
  std::optional<Session> again;  // of the levels before the first one
  std::unique_ptr<RunsContinuation> earlier;

 public:
  AutomaticStates(const SearchContext& context, const RamSettings& ram_settings,
                  const SortedRunsSettings& s)
      : Automatic(
            context, s,
            [ram_settings](const SearchContext& c) {
              return make_interruptible_ram(c, ram_settings);
            },
            [s](const SearchContext& c) { return make_sorted_runs(c, s); }),
        runs_settings(s) {}

  void free_visited() override {
    if (!runs) return;
    runs->free_visited();
    // Whoever needs levels takes the memory that finding them again would take.
    if (first_level != 0 && !checkpoints.blocks() && !earlier) search_earlier();
    if (earlier) earlier->free_visited();
  }

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    if (!runs || checkpoints.blocks()) return Automatic::each_at_depth(depth, visit);
    if (depth >= first_level) return runs->each_at_depth(depth - first_level, visit);
    if (!earlier) search_earlier();
    earlier->each_at_depth(depth, visit);
  }

 private:
  // The levels before first_level again.  As sorted runs: kept levels may have left too little
  // memory for RAM.
  void search_earlier() {
    runs->free_visited();
    SessionOptions options;
    options.threads = crew.size();
    options.limits.max_errors = kUnlimited;  // what is wrong with their states is known
    // the last of them is stored, not expanded
    options.limits.max_depth = std::max<std::uint64_t>(first_level, 2) - 2;
    again.emplace(model, options);
    if (expanders.short_rows()) again->expanders.use(expanders.short_rows());
    earlier = make_sorted_runs({*again, budget, crew, disk}, runs_settings);
    try {
      earlier->search();
    } catch (const Finished&) {
    }
    if (stop_request::made()) throw Stopped{};
    if (again->lookout.stop() && again->lookout.stop() != Stop::depth)
      throw Error(Fault::internal,
                  "internal error: the levels before the one in which memory was full cannot be "
                  "found again");
  }
};

class AutomaticCycles final : public Automatic<CyclesContinuation> {
 public:
  using Automatic::Automatic;
  bool decides_acceptance() const override { return true; }
};

}  // namespace

std::unique_ptr<Search> make_automatic(const SearchContext& context, const RamSettings& ram,
                                       const SortedRunsSettings& runs) {
  need_sorted_runs_bytes(context, runs);
  return std::make_unique<AutomaticStates>(context, ram, runs);
}

std::unique_ptr<Search> make_automatic(const SearchContext& context) {
  return make_automatic(context, {}, {});
}

std::unique_ptr<Search> make_automatic_cycles(const SearchContext& context,
                                              const RamCyclesSettings& ram,
                                              const SortedRunsSettings& runs,
                                              const RunsCyclesSettings& cycles) {
  need_sorted_runs_bytes(context, runs);
  const auto make_bfs = [runs](const SearchContext& c) { return make_sorted_runs(c, runs); };
  return std::make_unique<AutomaticCycles>(
      context, runs,
      [ram](const SearchContext& c) { return make_interruptible_ram_cycles(c, ram); },
      [=](const SearchContext& c) { return make_runs_cycles(c, make_bfs, cycles); });
}

}  // namespace spillway
