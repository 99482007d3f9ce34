#include "safety/ram.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/hash.h"
#include "safety/frontier.h"
#include "safety/ram_set.h"

namespace spillway {
namespace {

template <class Set>
class Ram final : public Search {
  const RamSettings settings;
  const std::size_t words = run.model().words();
  const std::size_t batch_rows = std::max<std::size_t>(1, settings.batch_bytes / (words * sizeof(Word)));
  RowPool pool{budget, words, std::max<std::size_t>(1, settings.chunk_bytes / (words * sizeof(Word)))};
  Set T{budget, pool, words, settings.first_homes};              // every state met so far
  Frontier current{pool, !Set::kKeepsRows, settings.unit_rows};  // the level being expanded
  std::atomic<std::uint64_t> met{0};                             // states in T
  std::atomic<bool> crowded{false};                              // T wants to grow

  // What one thread is doing.  All of it is here, so that work can stop at any insertion for T to grow.
  struct alignas(128) Worker {
    Run::Expander& expander;
    RowPool::Writer next;                 // new states: the next level
    Frontier::Unit unit{};                // of the current level
    std::uint64_t at = 0;                 // in the unit
    std::vector<std::uint64_t> hashes{};  // of the successors in the expander's batch
    std::size_t inserted = 0;             // successors of the batch that are dealt with
    std::uint64_t fresh = 0;              // states added to T and not yet to `met`
  };
  std::vector<Worker> workers;

 public:
  Ram(Means means, const RamSettings& s) : Search(means), settings(s) {
    for (unsigned i = 0; i < crew.size(); ++i) workers.push_back({run.expander(i), RowPool::Writer(pool)});
  }

  std::uint64_t stored() const override { return met.load(); }

  void each_at_depth(std::uint64_t depth, const Visit& visit) override {
    T.each_at_depth(run.model(), crew, settings.window_rows, depth, visit);
  }

  void search() override {
    T.open_level(crew);
    meet(run.initial());
    run.begin(close_level());
    while (current.size() != 0) {
      T.open_level(crew);
      expand_level();
      const std::uint64_t size = close_level();
      run.end_level(size);
    }
  }

 private:
  // Puts the initial states into T.
  void meet(States initial) {
    Worker& worker = workers[0];
    for (const State s : initial) worker.hashes.push_back(place_hash(s.data(), words));
    while (!settle(worker, 0)) grow();
  }

  // What the threads have added is the current level from now on.
  std::uint64_t close_level() {
    std::vector<RowPool::Segment> all;
    for (Worker& worker : workers) {
      publish(worker);
      const std::vector<RowPool::Segment> added = worker.next.take(!Set::kKeepsRows);
      all.insert(all.end(), added.begin(), added.end());
    }
    current.reset(std::move(all));
    T.close_level(current.segments(), current.size());
    return current.size();
  }

  void expand_level() {
    const bool alone = current.size() <= settings.alone_rows;
    for (bool done = false; !done;) {
      std::atomic<bool> all_done{true};
      const auto work = [&](unsigned i) {
        try {
          if (!expand_units(workers[i])) all_done.store(false);
        } catch (...) {
          crowded.store(true);  // stops the others
          throw;
        }
      };
      if (alone)
        work(0);
      else
        crew.each(work);
      done = all_done.load();
      if (crowded.load()) grow();
    }
  }

  // Expands units until there are none; false when it stopped because T wants to grow.
  bool expand_units(Worker& worker) {
    for (;;) {
      // In long strides: a loop over two or three successors is mostly a mispredicted end.
      const bool full = worker.hashes.size() >= batch_rows;
      if (full || worker.hashes.size() - worker.inserted > 2 * settings.in_flight)
        if (!settle(worker, full ? 0 : settings.in_flight)) return false;
      if (crowded.load(std::memory_order_relaxed)) return false;
      if (worker.at == worker.unit.rows.count && !next_unit(worker)) return settle(worker, 0);
      expand(worker, pool.row(worker.unit.rows.first + worker.at++));
    }
  }

  bool next_unit(Worker& worker) {
    publish(worker);
    if (worker.at != 0) current.done(worker.unit);
    worker.unit = current.next();
    worker.at = 0;
    return worker.unit.rows.count != 0;
  }

  // Adds the successors of a state to the batch, and asks for the line of each in the table.
  void expand(Worker& worker, State state) {
    const States made = worker.expander.expand(state);
    const std::size_t before = worker.hashes.size();
    worker.hashes.resize(before + made.size());
    std::uint64_t* hash = worker.hashes.data() + before;
    for (const State t : made) {
      *hash = place_hash(t.data(), words);
      T.prefetch(*hash++);
    }
  }

  // Inserts successors of the batch, the oldest first, until at most `waiting` are left; false when it
  // stopped because T wants to grow.
  bool settle(Worker& worker, std::size_t waiting) {
    const std::size_t count = worker.hashes.size();
    if (run.discarding()) worker.inserted = count;
    if (count - worker.inserted > waiting) {
      const States batch = worker.expander.batch();
      for (std::size_t i = worker.inserted; i < count - waiting; ++i) {
        worker.inserted = i;
        if (const std::size_t ahead = i + settings.in_flight / 2; ahead < count) T.prefetch_rows(worker.hashes[ahead]);
        if (!worker.next.ready()) {
          run.cannot_store(Stop::memory);
          break;
        }
        const Insert done = T.insert(batch[i].data(), worker.hashes[i], worker.next);
        if (done == Insert::full) {
          crowded.store(true);
          return false;
        }
        worker.fresh += done == Insert::fresh ? 1 : 0;
      }
      worker.inserted = count - waiting;
    }
    if (waiting == 0) {
      worker.expander.clear();
      worker.hashes.clear();
      worker.inserted = 0;
    }
    return true;
  }

  void publish(Worker& worker) {
    const std::uint64_t total = met.fetch_add(worker.fresh) + worker.fresh;
    worker.fresh = 0;
    run.have_stored(total);
    if (total > T.comfortable_rows() && !run.discarding()) crowded.store(true);
  }

  void grow() {
    crowded.store(false);
    if (run.discarding()) return;
    std::vector<RowPool::Segment> open;
    for (const Worker& worker : workers) worker.next.peek(open);
    if (!T.grow(crew, open)) run.cannot_store(Stop::memory);
  }
};

}  // namespace

std::unique_ptr<Search> make_ram(Means means, const RamSettings& settings) {
  switch (means.run.model().words()) {
    case 1: return std::make_unique<Ram<ShortSet<1>>>(means, settings);
    case 2: return std::make_unique<Ram<ShortSet<2>>>(means, settings);
    default: return std::make_unique<Ram<LongSet>>(means, settings);
  }
}

std::unique_ptr<Search> make_ram(Means means) { return make_ram(means, RamSettings{}); }

}  // namespace spillway
