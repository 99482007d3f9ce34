#include "search/cycles/ram_cycles.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/process/work_in_rounds.h"
#include "search/cycles/level_graph.h"
#include "search/cycles/next_check.h"
#include "search/cycles/ram_cycles_worker.h"
#include "storage/table/frontier.h"

namespace spillway {
namespace {

class RamCycles final : public LevelSearch, public LevelReader {
  const RamCyclesSettings settings;
  const std::size_t row_bytes = model.words() * sizeof(Word);
  RowPool pool{budget, model.words(), std::max<std::size_t>(1, settings.chunk_bytes / row_bytes)};
  LongRowTable table{budget, pool, model.words(), settings.first_homes};
  LevelGraph graph{model, pool, budget, crew, settings.block_nodes};
  const bool minimal;
  LevelVisited visited{model,
                       levels,
                       pool,
                       table,
                       graph,
                       settings.in_flight,
                       std::max<std::size_t>(1, settings.batch_bytes / row_bytes),
                       settings.look_rows};
  Frontier current{pool, false, settings.unit_rows};  // the level being expanded
  std::vector<RamCyclesWorker> workers;
  std::vector<RowPool::Segment> segments;  // of all levels, level by level
  std::vector<std::size_t> level_ends;     // in them
  std::uint64_t next_check = settings.first_check;

 public:
  RamCycles(const SearchContext& context, const RamCyclesSettings& s)
      : LevelSearch(context), settings(s), minimal(context.minimal) {
    const std::size_t most =
        std::min<std::uint64_t>(settings.recent_bytes, budget.limit() / 64 / crew.size());
    const std::size_t recent =
        std::max<std::size_t>(2, most / RecentNumbers::bytes_of(model.words()));
    for (unsigned i = 0; i < crew.size(); ++i)
      workers.emplace_back(visited, expanders[i], budget, recent);
  }

  void search() override {
    meet(expanders.initial());
    levels.begin(close_level());
    while (current.size() != 0) {
      levels.start_level();
      expand_level();
      const std::uint64_t size = close_level();
      if (!levels.discarding()) add_edges();
      levels.end_level(size);
      if (is_check_due()) check();
    }
  }

  std::uint64_t stored() const override { return visited.met.load(); }
  bool decides_acceptance() const override { return true; }
  LevelReader* level_reader() override { return this; }

  bool each_visited(const std::function<void(State)>& visit) override {
    for (const RowPool::Segment& segment : segments)
      for (const State state : pool.rows(segment)) visit(state);
    return true;
  }

  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    std::atomic<std::size_t> next{depth == 0 ? 0 : level_ends[depth - 1]};
    crew.each([&](unsigned worker) {
      for (std::size_t i; (i = next.fetch_add(1)) < level_ends[depth];)
        for (const State state : pool.rows(segments[i])) visit(worker, state);
    });
  }

 private:
  void meet(States initial) {
    workers[0].note(initial);
    while (!workers[0].settle(0)) grow();
  }

  // What the threads have added is the current level from now on.
  std::uint64_t close_level() {
    std::vector<RowPool::Segment> all;
    for (RamCyclesWorker& worker : workers) {
      worker.publish();
      const std::vector<RowPool::Segment> added = worker.next_level().take(false);
      all.insert(all.end(), added.begin(), added.end());
    }
    segments.insert(segments.end(), all.begin(), all.end());
    level_ends.push_back(segments.size());
    if (!levels.discarding()) graph.add_level(all);
    current.reset(std::move(all));
    return current.size();
  }

  void expand_level() {
    work_in_rounds(
        crew, current.size() <= settings.alone_rows,
        [this](unsigned i) { return expand_units(workers[i]); },
        [this] { visited.crowded.store(true); },
        [this] {
          if (visited.crowded.load()) grow();
          return true;
        });
  }

  // Expands units until there are none; false when it stopped because the table wants to grow.
  bool expand_units(RamCyclesWorker& worker) {
    for (;;) {
      if (!worker.settle_some()) return false;
      if (visited.crowded.load(std::memory_order_relaxed)) return false;
      if (worker.unit_is_done() && !next_unit(worker)) return worker.settle(0);
      worker.expand_next();
    }
  }

  bool next_unit(RamCyclesWorker& worker) {
    worker.publish();
    worker.take(current.next());
    return worker.has_unit();
  }

  void grow() {
    visited.crowded.store(false);
    if (levels.discarding()) return;
    std::vector<RowPool::Segment> all = segments;
    for (const RamCyclesWorker& worker : workers) worker.next_level().peek(all);
    if (!table.grow(crew, all)) levels.cannot_store(Stop::memory);
  }

  void add_edges() {
    std::vector<const KeptEdges*> kept;
    for (RamCyclesWorker& worker : workers) kept.push_back(&worker.edges());
    graph.add_edges(kept);
    for (RamCyclesWorker& worker : workers) worker.edges().clear();
  }

  bool is_check_due() const {
    if (const std::uint64_t wanted = graph.wanted_levels(); wanted != 0 && current.size() != 0)
      return graph.levels() >= wanted;
    return current.size() == 0 || visited.has_loop.load() || stored() >= next_check;
  }

  void check() {
    const InPhase deciding(lookout, Phase::deciding);
    const auto poll = [this] { lookout.look_up(); };
    std::optional<Finding> found =
        minimal ? graph.check_for_shortest(current.size() == 0, lookout) : graph.check(poll);
    if (found) {
      session.findings.add(std::move(*found));
      if (current.size() != 0) lookout.finish({});  // otherwise all states have been expanded
    }
    next_check = next_check_after(stored(), settings.growth);
  }
};

}  // namespace

std::unique_ptr<Search> make_ram_cycles(const SearchContext& context,
                                        const RamCyclesSettings& settings) {
  return std::make_unique<RamCycles>(context, settings);
}

std::unique_ptr<Search> make_ram_cycles(const SearchContext& context) {
  return make_ram_cycles(context, RamCyclesSettings{});
}

}  // namespace spillway
