#include "search/ram/ram.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/process/work_in_rounds.h"
#include "search/ram/packed_set.h"
#include "search/ram/ram_set.h"
#include "search/ram/ram_worker.h"
#include "storage/table/frontier.h"

namespace spillway {
namespace {

template <class Set>
class Ram final : public InterruptibleSearch {
  using Worker = RamWorker<Set>;

  const RamSettings settings;
  const std::size_t words = model.words();
  RowPool pool{budget, words,
               std::max<std::size_t>(1, settings.chunk_bytes / (words * sizeof(Word)))};
  RamVisited<Set> visited;
  Frontier current{pool, true, settings.unit_rows};  // the level being expanded
  bool begun = false;
  bool kept = false;  // all states of the current level
  std::vector<Worker> workers;

 public:
  Ram(const SearchContext& context, const RamSettings& s, bool can_be_left)
      : InterruptibleSearch(context),
        settings(s),
        visited{settings, levels, can_be_left, {budget, words, settings, crew.size()}} {
    const std::size_t most =
        std::min<std::uint64_t>(settings.recent_bytes, budget.limit() / 64 / crew.size());
    const std::size_t recent = std::max<std::size_t>(2, most / (words * sizeof(Word)));
    for (unsigned i = 0; i < crew.size(); ++i)
      workers.emplace_back(visited, expanders[i], pool, budget, words, recent, i);
  }

  std::uint64_t stored() const override { return visited.met.load(); }

  void each_at_depth(std::uint64_t depth, const Visit& visit) override {
    // they are outside of the budget
    const std::uint64_t most = budget.limit() / 64 / (words * sizeof(Word));
    visited.T.each_at_depth(model, crew, std::min<std::uint64_t>(settings.window_rows, most + 1),
                            depth, visit);
  }

  bool each_visited(const std::function<void(State)>& visit) override {
    std::mutex one_at_a_time;
    visited.T.each(crew, [&](unsigned, State state) {
      const std::lock_guard lock(one_at_a_time);
      visit(state);
    });
    return true;
  }

  void search() override {
    const bool complete = !search_until_full();
    SPILLWAY_CHECK(complete);
  }

  std::optional<Handover> search_until_full() override {
    if (checkpoints.resumed() != nullptr) {
      if (!load()) return Handover{.during = Handover::During::loading};
    } else {
      visited.T.open_level(crew);
      meet(expanders.initial());
      if (visited.full) return hand_over(Handover::During::initial_states);
      levels.begin(close_level());
    }
    begun = true;
    while (current.size() != 0) {
      levels.start_level();
      visited.T.open_level(crew);
      if (runs_are_faster()) return hand_over(Handover::During::level, false);
      expand_level();
      if (visited.full) return hand_over(Handover::During::level);
      const std::uint64_t size = close_level();
      levels.end_level(size);
      between_levels();
    }
    return std::nullopt;
  }

  void complete_level() override {
    if (kept || !begun) return;
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next())
      keep_unit(unit);
    kept = true;
    if (!lookout.stop()) current.reset(current.segments());
  }

 private:
  bool runs_are_faster() const {
    return visited.interruptible && !levels.discarding() &&
           spillway::runs_are_faster(settings.runs, words, stored(), levels.counts().levels,
                                     current.size());
  }

  Handover hand_over(Handover::During during, bool memory_is_full = true) {
    Handover left{.during = during, .memory_is_full = memory_is_full};
    left.unexpanded = unexpanded();
    left.candidates = candidates();
    left.give_visited = [this](const TakeRows& take, const ViewRows& view) {
      for (Worker& worker : workers) worker.publish();
      visited.T.give(crew, next_level(), take, view, [this] { lookout.look_up(); });
    };
    return left;
  }

  std::vector<States> candidates() const {
    std::vector<States> all = next_level();
    for (const Worker& worker : workers) {
      const States waiting = worker.waiting();
      if (waiting.size() != 0) all.push_back(waiting);
    }
    return all;
  }

  // All of the level is kept afterwards.
  std::vector<States> unexpanded() {
    std::vector<States> all;
    const auto add = [&](RowPool::Segment rows) {
      if (rows.count != 0) all.push_back(pool.rows(rows));
    };
    for (const Worker& worker : workers) add(worker.unexpanded());
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next()) {
      add(unit.rows);
      keep_unit(unit);
    }
    kept = true;
    return all;
  }

  void keep_unit(const Frontier::Unit& unit) {
    if (!kept) checkpoints.keep_rows(pool.rows(unit.rows));
  }

  // What was kept is in T, and its last level, which may be empty, is the current one.
  // False: memory is full.
  bool load() {
    const InPhase loading(lookout, Phase::loading);
    std::uint64_t level = 0;
    const auto next_level = [&] {
      take_level();
      for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next())
        current.done(unit);
      visited.T.open_level(crew);
      ++level;
    };
    visited.T.open_level(crew);
    const auto prepare = [&](std::uint64_t of) {
      lookout.look_up();
      if (visited.crowded.load()) grow();
      if (levels.discarding()) lookout.finish(Stop::memory);
      if (of != level && !visited.full) next_level();
      return !visited.full;
    };
    checkpoints.load(crew, &model, {prepare, [&](unsigned worker, States rows) {
                                      return workers[worker].load(rows);
                                    }});
    if (visited.full) return false;
    if (level != checkpoints.resumed()->levels.size()) next_level();
    take_level();
    kept = true;
    return true;
  }

  // What has been met of it.
  std::vector<States> next_level() const {
    std::vector<RowPool::Segment> segments;
    for (const Worker& worker : workers) worker.next_level().peek(segments);
    std::vector<States> all;
    for (const RowPool::Segment& segment : segments) all.push_back(pool.rows(segment));
    return all;
  }

  // Puts the initial states into T.
  void meet(States initial) {
    Worker& worker = workers[0];
    worker.note(initial, 0);
    while (!worker.settle(0) && !visited.full) grow();
  }

  std::uint64_t close_level() {
    const std::uint64_t size = take_level();
    kept = false;
    checkpoints.begin_level();
    return size;
  }

  // What the threads have added is the current level from now on.
  std::uint64_t take_level() {
    std::vector<RowPool::Segment> all;
    for (Worker& worker : workers) {
      worker.publish();
      const std::vector<RowPool::Segment> added = worker.next_level().take(true);
      all.insert(all.end(), added.begin(), added.end());
    }
    current.reset(std::move(all));
    visited.T.close_level(current.size());
    return current.size();
  }

  void expand_level() {
    if (visited.full) return;
    work_in_rounds(
        crew, current.size() <= settings.alone_rows,
        [this](unsigned i) { return expand_units(workers[i]); },
        [this] { visited.crowded.store(true); },
        [this] {
          if (visited.crowded.load()) grow();
          return !visited.full.load();
        });
  }

  // Expands units until there are none; false when it stopped because T wants to grow.
  bool expand_units(Worker& worker) {
    for (;;) {
      if (!worker.settle_some()) return false;
      leave_if_told(worker);
      if (visited.crowded.load(std::memory_order_relaxed)) return false;
      if (worker.unit_is_done() && !next_unit(worker)) return worker.settle(0);
      worker.expand_next(pool);
    }
  }

  // Tests and measurements name a number of states at which memory counts as full.
  void leave_if_told(const Worker& worker) {
    if (!visited.interruptible) return;
    const std::uint64_t met = visited.met.load(std::memory_order_relaxed) + worker.fresh();
    if (met < settings.leave_states) return;
    visited.full.store(true);
    visited.crowded.store(true);
  }

  bool next_unit(Worker& worker) {
    worker.publish();
    if (worker.has_unit()) current.done(worker.unit());
    worker.take(current.next());
    keep_unit(worker.unit());
    return worker.has_unit();
  }

  void grow() {
    visited.crowded.store(false);
    if (visited.full || levels.discarding()) return;
    if (!visited.T.grow(crew)) visited.out_of_memory();
  }
};

std::unique_ptr<InterruptibleSearch> make(const SearchContext& context, const RamSettings& settings,
                                          bool can_be_left) {
  switch (context.session.model.words()) {
    case 1: return std::make_unique<Ram<ShortSet<1>>>(context, settings, can_be_left);
    case 2: return std::make_unique<Ram<ShortSet<2>>>(context, settings, can_be_left);
    default: return std::make_unique<Ram<PackedSet>>(context, settings, can_be_left);
  }
}

}  // namespace

std::unique_ptr<Search> make_ram(const SearchContext& context, const RamSettings& settings) {
  return make(context, settings, false);
}

std::unique_ptr<Search> make_ram(const SearchContext& context) {
  return make(context, RamSettings{}, false);
}

std::unique_ptr<InterruptibleSearch> make_interruptible_ram(const SearchContext& context,
                                                            const RamSettings& settings) {
  return make(context, settings, true);
}

}  // namespace spillway
