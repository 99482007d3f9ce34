// One thread of the RAM search: successors on their way from the model into the table.
//
// A successor waits between the moment its cache line is asked for and its insertion.  All that a
// thread is doing is in its worker, so that work can stop at any insertion for the table to grow.
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/error.h"
#include "check/session/expander.h"
#include "check/session/level_accounts.h"
#include "search/ram/ram.h"
#include "search/ram/ram_set.h"
#include "search/ram/recent_rows.h"
#include "storage/table/frontier.h"

namespace spillway {

// What the threads share.
template <class Set>
struct RamVisited {
  const RamSettings& settings;
  LevelAccounts& levels;
  const bool interruptible;
  Set T;                              // every state met so far
  std::atomic<std::uint64_t> met{0};  // states in T
  std::atomic<bool> crowded{false};   // T wants to grow, or all threads are to stop
  std::atomic<bool> full{false};      // there is no more memory, and another search that continues

  void out_of_memory() {
    if (interruptible)
      full.store(true);
    else
      levels.cannot_store(Stop::memory);
  }
};

template <class Set>
class alignas(128) RamWorker {
 public:
  RamWorker(RamVisited<Set>& visited, Expander& expander, RowPool& pool, Budget& budget,
            std::size_t words, std::size_t recent_rows, unsigned thread)
      : visited_(&visited),
        expander_(&expander),
        thread_(thread),
        words_(words),
        batch_rows_(
            std::max<std::size_t>(1, visited.settings.batch_bytes / (words * sizeof(Word)))),
        next_(pool),
        recent_(budget, words, recent_rows, Set::hash) {}

  const RowPool::Writer& next_level() const { return next_; }
  RowPool::Writer& next_level() { return next_; }

  // The states a thread has taken from the current level.
  const Frontier::Unit& unit() const { return unit_; }
  bool has_unit() const { return unit_.rows.count != 0; }
  void take(const Frontier::Unit& unit) {
    unit_ = unit;
    at_ = 0;
  }
  bool unit_is_done() const { return at_ == unit_.rows.count; }
  RowPool::Segment unexpanded() const { return {unit_.rows.first + at_, unit_.rows.count - at_}; }

  // Adds the successors of the next state of the unit to the batch, and asks for the line of each
  // in the table.
  void expand_next(const RowPool& pool) {
    const States made = expander_->expand(pool.row(unit_.rows.first + at_++));
    note(made, expander_->batch_size() - made.size());
  }

  // Rows that are to be inserted; `place`: of the first of them in the batch.
  void note(States made, std::size_t place) {
    if (noted_ + made.size() > hashes_.size()) make_room(noted_ + made.size());
    if (until_look_ > 0)
      note_all(made, place);
    else
      note_others(made, place);
  }

  // Inserts successors if enough are waiting.  False if it stopped because T wants to grow.
  bool settle_some() {
    // In long strides: a loop over two or three successors is mostly a mispredicted end.
    const bool batched = expander_->batch_size() >= batch_rows_;
    if (!batched && noted_ - inserted_ <= 2 * visited_->settings.in_flight) return true;
    return settle(batched ? 0 : visited_->settings.in_flight);
  }
  // Inserts successors of the batch, the oldest first, until at most `waiting` are left.  False if
  // it stopped because T wants to grow.
  bool settle(std::size_t waiting);
  // Successors that are not inserted yet.  Some of them may have been met.
  States waiting() const;

  // Puts rows into T and the next level; returns how many, fewer when T has to grow first.
  std::size_t load(States rows);

  std::uint64_t fresh() const { return fresh_; }
  // Adds what is new to `met`.
  void publish() {
    const std::uint64_t total = visited_->met.fetch_add(fresh_) + fresh_;
    fresh_ = 0;
    visited_->levels.have_stored(total);
    if (total > visited_->T.comfortable_rows() && !visited_->levels.discarding())
      visited_->crowded.store(true);
  }

 private:
  void note_all(States made, std::size_t place);
  // All but those that were made a moment ago, as long as there are enough of those.
  void note_others(States made, std::size_t place);
  // Writes the hashes of long rows, and asks for their places among recent ones.
  void expect(States made);
  void make_room(std::size_t successors) {
    hashes_.resize(2 * successors);
    places_.resize(2 * successors);
  }
  std::uint64_t hash_of(State row) const {
    return Set::hash(row.data(), Set::kWords != 0 ? Set::kWords : words_);
  }
  bool load_row(const Word* row, std::uint64_t hash);

  static constexpr bool kLong = Set::kWords == 0;

  RamVisited<Set>* visited_;
  Expander* expander_;
  unsigned thread_;
  std::size_t words_;
  std::size_t batch_rows_;
  RowPool::Writer next_;               // new states: the next level
  RecentRows<Set::kWords> recent_;     // successors that were made a moment ago
  Frontier::Unit unit_{};              // of the current level
  std::uint64_t at_ = 0;               // in the unit
  std::size_t noted_ = 0;              // the other successors in the expander's batch
  std::vector<std::uint32_t> places_;  // of them in the batch, and room for more
  std::vector<std::uint64_t> hashes_;  // of them, and room for more
  std::size_t inserted_ = 0;           // of them are dealt with
  std::uint64_t looked_ = 0;           // successors that were looked up in `recent`
  std::uint64_t kept_ = 0;             // of them were not there
  std::int64_t until_look_ = 0;        // successors, because it was not worth it
  std::uint64_t fresh_ = 0;            // states added to T and not yet to `met`
};

template <class Set>
void RamWorker<Set>::note_all(States made, std::size_t place) {
  for (const State t : made) {
    const std::uint64_t hash = hash_of(t);
    visited_->T.prefetch(hash);
    hashes_[noted_] = hash;
    places_[noted_++] = static_cast<std::uint32_t>(place++);
  }
  until_look_ -= static_cast<std::int64_t>(made.size());
}

template <class Set>
void RamWorker<Set>::expect(States made) {
  std::uint64_t* hash = hashes_.data() + noted_;
  for (const State t : made) {
    *hash = hash_of(t);
    recent_.expect_long(*hash++);
  }
}

template <class Set>
void RamWorker<Set>::note_others(States made, std::size_t place) {
  const std::size_t look_rows = visited_->settings.look_rows;
  const std::size_t before = noted_;
  std::size_t kept = before;  // without branches: whether a row is repeated cannot be predicted
  if constexpr (kLong) expect(made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const State t = made[i];
    const std::uint64_t hash = kLong ? hashes_[before + i] : hash_of(t);
    hashes_[kept] = hash;
    places_[kept] = static_cast<std::uint32_t>(place++);
    kept += recent_.meet(t.data(), hash) ? 0 : 1;
    // of this row, or again of the one before it
    visited_->T.prefetch(hashes_[kept == 0 ? 0 : kept - 1]);
  }
  noted_ = kept;
  looked_ += made.size();
  kept_ += kept - before;
  if (looked_ < look_rows) return;
  if (kept_ > looked_ / 4 * 3) until_look_ = static_cast<std::int64_t>(16 * look_rows);
  looked_ = kept_ = 0;
}

template <class Set>
bool RamWorker<Set>::settle(std::size_t waiting) {
  RamVisited<Set>& visited = *visited_;
  const std::size_t count = noted_;
  if (visited.levels.discarding()) inserted_ = count;
  if (count - inserted_ > waiting) {
    const States batch = expander_->batch();
    const std::size_t stride = visited.settings.in_flight / 2;
    for (std::size_t i = inserted_; i < count - waiting; ++i) {
      inserted_ = i;
      if (const std::size_t ahead = i + stride; ahead < count)
        visited.T.prefetch_rows(hashes_[ahead]);
      if (!next_.ready() || !visited.T.ready(thread_)) {
        visited.out_of_memory();
        if (!visited.full) break;
        visited.crowded.store(true);  // the others stop as well
        return false;
      }
      const Insert done = visited.T.insert(batch[places_[i]].data(), hashes_[i], next_, thread_);
      if (done == Insert::full) {
        visited.crowded.store(true);
        return false;
      }
      fresh_ += done == Insert::fresh ? 1 : 0;
    }
    inserted_ = count - waiting;
  }
  if (waiting == 0) {
    expander_->clear();
    noted_ = 0;
    inserted_ = 0;
  }
  return true;
}

template <class Set>
States RamWorker<Set>::waiting() const {
  const States batch = expander_->batch();
  if (inserted_ == noted_) return {};
  const std::size_t first = places_[inserted_];
  return {batch[first].data(), batch.size() - first, words_};
}

template <class Set>
std::size_t RamWorker<Set>::load(States rows) {
  RamVisited<Set>& visited = *visited_;
  if (rows.size() > hashes_.size()) make_room(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    hashes_[i] = hash_of(rows[i]);
    visited.T.prefetch(hashes_[i]);
  }
  std::size_t done = 0;
  while (done < rows.size() && !visited.crowded.load(std::memory_order_relaxed) &&
         load_row(rows[done].data(), hashes_[done]))
    ++done;
  publish();
  if (visited.interruptible && visited.met.load() >= visited.settings.leave_states)
    visited.full.store(true);
  return done;
}

template <class Set>
bool RamWorker<Set>::load_row(const Word* row, std::uint64_t hash) {
  if (!next_.ready() || !visited_->T.ready(thread_)) {
    visited_->out_of_memory();
    return false;
  }
  const Insert done = visited_->T.insert(row, hash, next_, thread_);
  if (done == Insert::known) throw Error(Fault::integrity, "corrupt log: a state appears twice");
  if (done == Insert::full) visited_->crowded.store(true);
  fresh_ += done == Insert::fresh ? 1 : 0;
  return done == Insert::fresh;
}

}  // namespace spillway
