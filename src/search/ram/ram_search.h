// The RAM search of ram.h, for any kind of visited set and any aim (follow.h).
#pragma once

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/process/work_in_rounds.h"
#include "search/ram/follow.h"
#include "search/ram/handover.h"
#include "search/ram/ram.h"
#include "search/ram/ram_worker.h"
#include "storage/table/frontier.h"

namespace spillway {

template <class Set, class Aim>
class RamSearch final : public InterruptibleSearch {
  using Worker = RamWorker<Set, typename Aim::Follow>;

  const RamSettings settings;
  const std::size_t words = session.row_words();
  const bool is_durable = checkpoints.blocks().has_value();  // rows are made whole only for that
  RamVisited<Set> visited;
  Aim aim;
  Frontier current{visited.T.recycled_to(), settings.unit_rows};  // the level being expanded
  bool begun = false;
  bool kept = false;  // all states of the current level
  std::vector<Worker> workers;

 public:
  // `more`: what the aim takes besides the context and the visited set.
  template <class... More>
  RamSearch(const SearchContext& context, const RamSettings& s, bool can_be_left,
            const More&... more)
      : InterruptibleSearch(context),
        settings(s),
        visited{settings, levels, can_be_left, {budget, words, settings, crew.size()}},
        aim(context, visited.T, more...) {
    const std::size_t most =
        std::min<std::uint64_t>(settings.recent_bytes, budget.limit() / 64 / crew.size());
    const std::size_t recent = std::max<std::size_t>(2, most / Worker::recent_bytes(words));
    for (unsigned i = 0; i < crew.size(); ++i)
      workers.emplace_back(visited, expanders[i], aim.follow(i), budget, words, recent, i);
  }

  std::uint64_t stored() const override { return visited.met.load(); }
  bool decides_acceptance() const override { return Aim::kDecidesAcceptance; }

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
      take_late();
      if (visited.full) return hand_over(Handover::During::initial_states);
      levels.begin(close_level());
    }
    begun = true;
    while (current.size() != 0) {
      levels.start_level();
      visited.T.open_level(crew);
      if (runs_are_faster()) return hand_over(Handover::During::level, false);
      expand_level();
      take_late();
      if (visited.full) return hand_over(Handover::During::level);
      const std::uint64_t size = close_level();
      if (!levels.discarding()) visited.in_memory([this] { aim.add_steps(); });
      levels.end_level(size);
      between_levels();
      visited.in_memory([&] { aim.decide(size == 0); });
    }
    if (visited.full) return hand_over(Handover::During::decision);
    return std::nullopt;
  }

  void complete_level() override {
    if (kept || !begun) return;
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next())
      keep_unit(unit, 0);
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
    left.unexpanded = each_of(unexpanded());
    left.candidates = candidates();
    left.decided_states = aim.decided_states();
    if constexpr (Aim::kDecidesAcceptance) {
      left.levels = visited.T.levels();
      left.each_of_level = [this](std::uint64_t depth, const UseRows& use) {
        const auto rows = visited.T.level(depth);
        each_of({rows.begin(), rows.end()})(use);
      };
    }
    left.give_visited = [this](const TakeRows& take, const ViewRows& view) {
      for (Worker& worker : workers) worker.publish();
      visited.T.give(crew, take, view, [this] { lookout.look_up(); });
    };
    return left;
  }

  EachRows each_of(std::vector<RowPool::Segment> segments) {
    return [this, segments = std::move(segments)](const UseRows& use) {
      for (const RowPool::Segment& segment : segments) {
        lookout.look_up();
        visited.T.each_row(segment, 0, use);
      }
    };
  }

  EachRows candidates() {
    return [this, found = each_of(visited.T.open_rows())](const UseRows& use) {
      found(use);
      for (const Worker& worker : workers) use(worker.waiting());
    };
  }

  // All of the level is kept afterwards.
  std::vector<RowPool::Segment> unexpanded() {
    std::vector<RowPool::Segment> all;
    for (const Worker& worker : workers) all.push_back(worker.unexpanded());
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next()) {
      all.push_back(unit.rows);
      keep_unit(unit, 0);
    }
    kept = true;
    return all;
  }

  void keep_unit(const Frontier::Unit& unit, unsigned thread) {
    if (kept || !is_durable) return;
    visited.T.each_row(unit.rows, thread, [this](States rows) { checkpoints.keep_rows(rows); });
  }

  // What was kept is in T, and its last level, which may be empty, is the current one.
  // False: memory is full.
  bool load() {
    const InPhase loading(lookout, Phase::loading);
    std::uint64_t level = 0;
    const auto next_level = [&] {
      take_level();
      add_level();
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
    add_level();
    kept = true;
    visited.in_memory([this] { aim.go_on(); });
    return !visited.full;
  }

  // Puts the initial states into T.
  void meet(States initial) {
    Worker& worker = workers[0];
    worker.note(initial, 0);
    while (!worker.settle(0) && !visited.full) grow();
  }

  std::uint64_t close_level() {
    take_level();
    if (!levels.discarding()) add_level();
    kept = false;
    checkpoints.begin_level();
    return current.size();
  }

  void add_level() {
    visited.in_memory([this] { aim.add_level(current.segments()); });
  }

  // What the threads have added is the current level from now on.
  void take_level() {
    for (Worker& worker : workers) worker.publish();
    current.reset(visited.T.close_level());
  }

  void expand_level() {
    if (visited.full) return;
    work_in_rounds(
        crew, current.size() <= settings.alone_rows,
        [this](unsigned i) { return expand_units(workers[i], i); },
        [this] { visited.crowded.store(true); },
        [this] {
          if (visited.crowded.load()) grow();
          return !visited.full.load();
        });
  }

  // Successors that are told only now.  If memory is full, the others stay late.
  void take_late() {
    if (visited.full || levels.discarding()) return;
    Worker& worker = workers[0];
    for (States late = expanders.late(); !late.empty(); late = expanders.late()) {
      const std::uint64_t before = stored() + worker.fresh();
      const std::size_t count = late.size();
      worker.note(late, 0);
      leave_if_told(worker);
      while (!visited.full && !worker.settle(0)) grow();
      if (visited.full) return;
      SPILLWAY_CHECK(levels.discarding() || stored() + worker.fresh() == before + count);
    }
  }

  // Expands units until there are none; false when it stopped because T wants to grow.
  bool expand_units(Worker& worker, unsigned thread) {
    for (;;) {
      if (!worker.settle_some()) return false;
      leave_if_told(worker);
      if (visited.crowded.load(std::memory_order_relaxed)) return false;
      if (worker.unit_is_done() && !next_unit(worker, thread)) return worker.settle(0);
      worker.expand_next();
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

  bool next_unit(Worker& worker, unsigned thread) {
    worker.publish();
    if (worker.has_unit()) current.done(worker.unit());
    worker.take(current.next());
    keep_unit(worker.unit(), thread);
    return worker.has_unit();
  }

  void grow() {
    visited.crowded.store(false);
    if (visited.full || levels.discarding()) return;
    visited.in_memory([this] {
      if (!visited.T.grow(crew)) visited.out_of_memory();
    });
  }
};

}  // namespace spillway
