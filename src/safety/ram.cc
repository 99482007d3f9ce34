#include "safety/ram.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "safety/frontier.h"
#include "safety/ram_set.h"
#include "safety/recent_rows.h"

namespace spillway {
namespace {

template <class Set>
class Ram final : public InterruptibleSearch {
  const RamSettings settings;
  const bool interruptible;
  const std::size_t words = model.words();
  const std::size_t batch_rows =
      std::max<std::size_t>(1, settings.batch_bytes / (words * sizeof(Word)));
  RowPool pool{budget, words,
               std::max<std::size_t>(1, settings.chunk_bytes / (words * sizeof(Word)))};
  Set T{budget, pool, words, settings.first_homes};              // every state met so far
  Frontier current{pool, !Set::kKeepsRows, settings.unit_rows};  // the level being expanded
  std::atomic<std::uint64_t> met{0};                             // states in T
  std::atomic<bool> crowded{false};                              // T wants to grow
  std::atomic<bool> full{false};  // there is no more memory, and someone who goes on
  bool begun = false;
  bool journalled = false;  // all states of the current level

  // What one thread is doing.  All of it is here, so that work can stop at any insertion for T to
  // grow.
  struct alignas(128) Worker {
    Expander& expander;
    RowPool::Writer next;                 // new states: the next level
    RecentRows<Set::kWords> recent;       // successors that were made a moment ago
    Frontier::Unit unit{};                // of the current level
    std::uint64_t at = 0;                 // in the unit
    std::vector<std::uint32_t> places{};  // of the other successors in the expander's batch
    std::vector<std::uint64_t> hashes{};  // of the same
    std::size_t inserted = 0;             // of them are dealt with
    std::uint64_t looked = 0,
                  kept = 0;       // successors that were looked up in `recent`, and were not there
    std::int64_t until_look = 0;  // successors, because it was not worth it
    std::uint64_t fresh = 0;      // states added to T and not yet to `met`
  };
  std::vector<Worker> workers;

 public:
  Ram(const SearchContext& context, const RamSettings& s, bool can_be_left)
      : InterruptibleSearch(context), settings(s), interruptible(can_be_left) {
    const std::size_t most =
        std::min<std::uint64_t>(settings.recent_bytes, budget.limit() / 64 / crew.size());
    const std::size_t recent = std::max<std::size_t>(2, most / (words * sizeof(Word)));
    for (unsigned i = 0; i < crew.size(); ++i)
      workers.push_back(
          {expanders[i], RowPool::Writer(pool), RecentRows<Set::kWords>(budget, words, recent)});
  }

  std::uint64_t stored() const override { return met.load(); }

  void each_at_depth(std::uint64_t depth, const Visit& visit) override {
    // they are outside of the budget
    const std::uint64_t most = budget.limit() / 64 / (words * sizeof(Word));
    T.each_at_depth(model, crew, std::min<std::uint64_t>(settings.window_rows, most + 1), depth,
                    visit);
  }

  bool each_visited(const std::function<void(State)>& visit) override {
    std::mutex one_at_a_time;
    for (std::uint64_t depth = 0; depth < levels.counts().levels.size(); ++depth)
      each_at_depth(depth, [&](unsigned, State state) {
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
    if (journal != nullptr && journal->resumed()) {
      if (!load()) return Handover{.during = Handover::During::loading};
    } else {
      T.open_level(crew);
      meet(expanders.initial());
      if (full) return hand_over(Handover::During::initial_states);
      levels.begin(close_level());
    }
    begun = true;
    while (current.size() != 0) {
      T.open_level(crew);
      expand_level();
      if (full) return hand_over(Handover::During::level);
      const std::uint64_t size = close_level();
      levels.end_level(size);
      between_levels();
    }
    return std::nullopt;
  }

  void complete_journal() override {
    if (journalled || !begun) return;
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next())
      journal_unit(unit);
    journalled = true;
    if (!lookout.stop()) current.reset(current.segments());
  }

 private:
  Handover hand_over(Handover::During during) {
    Handover left{.during = during};
    left.unexpanded = unexpanded();
    left.candidates = candidates();
    left.give_visited = [this](const TakeRows& take, const ViewRows& view) {
      for (Worker& worker : workers) publish(worker);
      T.give(crew, next_level(), take, view, [this] { lookout.look_up(); });
    };
    return left;
  }

  std::vector<States> candidates() const {
    std::vector<States> all = next_level();
    for (const Worker& worker : workers) {
      const States batch = worker.expander.batch();
      if (worker.inserted == worker.places.size()) continue;
      // what follows may have been met: no harm
      const std::size_t first = worker.places[worker.inserted];
      all.emplace_back(batch[first].data(), batch.size() - first, words);
    }
    return all;
  }

  // The journal has all of the level afterwards.
  std::vector<States> unexpanded() {
    std::vector<States> all;
    const auto add = [&](RowPool::Segment rows) {
      if (rows.count != 0) all.push_back(pool.rows(rows));
    };
    for (const Worker& worker : workers)
      add({worker.unit.rows.first + worker.at, worker.unit.rows.count - worker.at});
    for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next()) {
      add(unit.rows);
      journal_unit(unit);
    }
    journalled = true;
    return all;
  }

  void journal_unit(const Frontier::Unit& unit) {
    if (journal != nullptr && !journalled) journal->levels().keep_rows(pool.rows(unit.rows));
  }

  // What the journal has is in T, and its last level, which may be empty, is the current one.
  // False: memory is full.
  bool load() {
    std::uint64_t level = 0;
    const auto next_level = [&] {
      take_level();
      for (Frontier::Unit unit = current.next(); unit.rows.count != 0; unit = current.next())
        current.done(unit);
      T.open_level(crew);
      ++level;
    };
    T.open_level(crew);
    const auto prepare = [&](std::uint64_t of) {
      lookout.look_up();
      if (crowded.load()) grow();
      if (levels.discarding()) lookout.finish(Stop::memory);
      if (of != level && !full) next_level();
      return !full;
    };
    journal->load(crew, {prepare, [&](unsigned worker, States rows) {
                           return load_rows(workers[worker], rows);
                         }});
    if (full) return false;
    if (level != journal->resumed()->levels.size()) next_level();
    take_level();
    journalled = true;
    return true;
  }

  // Puts rows into T and the next level; returns how many, fewer when T has to grow first.
  std::size_t load_rows(Worker& worker, States rows) {
    std::vector<std::uint64_t>& hashes = worker.hashes;
    hashes.clear();
    for (const State row : rows) {
      hashes.push_back(place_hash(row.data(), words));
      T.prefetch(hashes.back());
    }
    std::size_t done = 0;
    while (done < rows.size() && !crowded.load(std::memory_order_relaxed) &&
           load_row(worker, rows[done].data(), hashes[done]))
      ++done;
    hashes.clear();
    publish(worker);
    if (interruptible && met.load() >= settings.leave_states) full.store(true);
    return done;
  }

  bool load_row(Worker& worker, const Word* row, std::uint64_t hash) {
    if (!worker.next.ready()) {
      out_of_memory();
      return false;
    }
    const Insert done = T.insert(row, hash, worker.next);
    if (done == Insert::known) throw Error(Fault::integrity, "corrupt log: a state appears twice");
    if (done == Insert::full) crowded.store(true);
    worker.fresh += done == Insert::fresh ? 1 : 0;
    return done == Insert::fresh;
  }

  // What has been met of it.
  std::vector<States> next_level() const {
    std::vector<RowPool::Segment> segments;
    for (const Worker& worker : workers) worker.next.peek(segments);
    std::vector<States> all;
    for (const RowPool::Segment& segment : segments) all.push_back(pool.rows(segment));
    return all;
  }

  void out_of_memory() {
    if (interruptible)
      full.store(true);
    else
      levels.cannot_store(Stop::memory);
  }

  // Puts the initial states into T.
  void meet(States initial) {
    Worker& worker = workers[0];
    note(worker, initial, 0);
    while (!settle(worker, 0) && !full) grow();
  }

  std::uint64_t close_level() {
    const std::uint64_t size = take_level();
    journalled = false;
    if (journal != nullptr) journal->levels().begin_level();
    return size;
  }

  // What the threads have added is the current level from now on.
  std::uint64_t take_level() {
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
    for (bool done = false; !done && !full;) {
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
      const bool batched = worker.expander.batch_size() >= batch_rows;
      if (batched || worker.hashes.size() - worker.inserted > 2 * settings.in_flight)
        if (!settle(worker, batched ? 0 : settings.in_flight)) return false;
      if (interruptible &&
          met.load(std::memory_order_relaxed) + worker.fresh >= settings.leave_states) {
        full.store(true);
        crowded.store(true);
      }
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
    journal_unit(worker.unit);
    return worker.unit.rows.count != 0;
  }

  // Adds the successors of a state to the batch, and asks for the line of each in the table.
  void expand(Worker& worker, State state) {
    const States made = worker.expander.expand(state);
    note(worker, made, worker.expander.batch_size() - made.size());
  }

  // Rows that are to be inserted; `place`: of the first of them in the batch.
  void note(Worker& worker, States made, std::size_t place) {
    const std::size_t before = worker.hashes.size();
    worker.hashes.resize(before + made.size());
    worker.places.resize(before + made.size());
    if (worker.until_look > 0)
      note_all(worker, made, place, before);
    else
      note_others(worker, made, place, before);
  }

  void note_all(Worker& worker, States made, std::size_t place, std::size_t before) {
    for (const State t : made) {
      const std::uint64_t hash = place_hash(t.data(), words);
      T.prefetch(hash);
      worker.hashes[before] = hash;
      worker.places[before++] = static_cast<std::uint32_t>(place++);
    }
    worker.until_look -= static_cast<std::int64_t>(made.size());
  }

  // All but those that were made a moment ago, as long as there are enough of those.
  void note_others(Worker& worker, States made, std::size_t place, std::size_t before) {
    std::size_t kept = before;  // without branches: whether a row is repeated cannot be predicted
    for (const State t : made) {
      const std::uint64_t hash = place_hash(t.data(), words);
      worker.hashes[kept] = hash;
      worker.places[kept] = static_cast<std::uint32_t>(place++);
      kept += worker.recent.meet(t.data(), hash) ? 0 : 1;
      // of this row, or again of the one before it
      T.prefetch(worker.hashes[kept == 0 ? 0 : kept - 1]);
    }
    worker.hashes.resize(kept);
    worker.places.resize(kept);
    worker.looked += made.size();
    worker.kept += kept - before;
    if (worker.looked < settings.look_rows) return;
    if (worker.kept > worker.looked / 4 * 3)
      worker.until_look = static_cast<std::int64_t>(16 * settings.look_rows);
    worker.looked = worker.kept = 0;
  }

  // Inserts successors of the batch, the oldest first, until at most `waiting` are left; false when
  // it stopped because T wants to grow.
  bool settle(Worker& worker, std::size_t waiting) {
    const std::size_t count = worker.hashes.size();
    if (levels.discarding()) worker.inserted = count;
    if (count - worker.inserted > waiting) {
      const States batch = worker.expander.batch();
      for (std::size_t i = worker.inserted; i < count - waiting; ++i) {
        worker.inserted = i;
        if (const std::size_t ahead = i + settings.in_flight / 2; ahead < count)
          T.prefetch_rows(worker.hashes[ahead]);
        if (!worker.next.ready()) {
          out_of_memory();
          if (!full) break;
          crowded.store(true);  // the others stop as well
          return false;
        }
        const Insert done = T.insert(batch[worker.places[i]].data(), worker.hashes[i], worker.next);
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
      worker.places.clear();
      worker.inserted = 0;
    }
    return true;
  }

  void publish(Worker& worker) {
    const std::uint64_t total = met.fetch_add(worker.fresh) + worker.fresh;
    worker.fresh = 0;
    levels.have_stored(total);
    if (total > T.comfortable_rows() && !levels.discarding()) crowded.store(true);
  }

  void grow() {
    crowded.store(false);
    if (full || levels.discarding()) return;
    std::vector<RowPool::Segment> open;
    for (const Worker& worker : workers) worker.next.peek(open);
    if (!T.grow(crew, open)) out_of_memory();
  }
};

std::unique_ptr<InterruptibleSearch> make(const SearchContext& context, const RamSettings& settings,
                                          bool can_be_left) {
  switch (context.session.model.words()) {
    case 1: return std::make_unique<Ram<ShortSet<1>>>(context, settings, can_be_left);
    case 2: return std::make_unique<Ram<ShortSet<2>>>(context, settings, can_be_left);
    default: return std::make_unique<Ram<LongSet>>(context, settings, can_be_left);
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
