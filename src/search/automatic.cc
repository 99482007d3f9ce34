#include "search/automatic.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/quantity.h"
#include "search/ram/ram.h"
#include "search/runs/stage_settings.h"

namespace spillway {
namespace {

class Automatic final : public LevelSearch, public LevelReader {
  const RamSettings ram_settings;
  const SortedRunsSettings runs_settings;
  const std::size_t words = model.words();
  Budget ram_budget{budget, budget.limit() - to_write_runs()};
  std::unique_ptr<InterruptibleSearch> ram;
  std::unique_ptr<RunsContinuation> runs;
  std::uint64_t first_level = 0;  // that the runs have kept
  std::optional<Session> again;   // of the levels before it
  std::unique_ptr<RunsContinuation> earlier;

 public:
  Automatic(const SearchContext& context, const RamSettings& r, const SortedRunsSettings& s)
      // REQUIRES: the budget is large enough for sorted runs
      : LevelSearch(context), ram_settings(r), runs_settings(s) {}

  void search() override {
    ram = make_interruptible_ram({session, ram_budget, crew, disk, {}, checkpoints}, ram_settings);
    std::optional<Handover> left = ram->search_until_full();
    if (!left) return;
    if (left->during == Handover::During::loading) {
      ram.reset();
      runs = make_sorted_runs({session, budget, crew, disk, {}, checkpoints}, runs_settings);
      return runs->search();
    }
    first_level = left->during == Handover::During::level ? levels.counts().levels.size() + 1 : 0;
    lookout.announce(fmt::format(
        "{} at {} states, in level {}: continuing with sorted runs, on disk where needed",
        left->memory_is_full ? "memory is full" : "levels are wide and grow",
        with_commas(ram->stored()), with_commas(first_level)));
    runs = make_sorted_runs({session, budget, crew, disk, {}, checkpoints}, runs_settings);
    runs->continue_from(std::move(ram), std::move(*left));
  }

  std::uint64_t stored() const override { return runs ? runs->stored() : ram ? ram->stored() : 0; }

  LevelReader* level_reader() override { return this; }

  void free_visited() override {
    if (!runs) return;
    runs->free_visited();
    // Whoever needs levels takes the memory that finding them again would take.
    if (first_level != 0 && !checkpoints.blocks() && !earlier) search_earlier();
    if (earlier) earlier->free_visited();
  }

  bool each_visited(const std::function<void(State)>& visit) override {
    return runs ? runs->each_visited(visit) : ram->each_visited(visit);
  }

  void complete_level() override {
    if (ram && !runs) ram->complete_level();
  }

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    if (!runs) return ram->each_at_depth(depth, visit);
    if (checkpoints.blocks()) return runs->each_at_depth(depth, visit);  // all levels are kept
    if (depth >= first_level) return runs->each_at_depth(depth - first_level, visit);
    if (!earlier) search_earlier();
    earlier->each_at_depth(depth, visit);
  }

 private:
  // What RAM leaves for writing the first runs.
  std::uint64_t to_write_runs() const {
    const StageSubject subject{words, words, crew.size(), budget.limit(), checkpoints.blocks()};
    return std::max(budget.limit() / 8, hand_over_bytes(runs_settings, subject));
  }

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

}  // namespace

std::unique_ptr<Search> make_automatic(const SearchContext& context, const RamSettings& ram,
                                       const SortedRunsSettings& runs) {
  need_sorted_runs_bytes(context, runs);
  return std::make_unique<Automatic>(context, ram, runs);
}

std::unique_ptr<Search> make_automatic(const SearchContext& context) {
  return make_automatic(context, {}, {});
}

}  // namespace spillway
