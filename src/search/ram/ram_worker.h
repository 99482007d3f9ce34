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
#include "search/ram/follow.h"
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

  // Does what may throw Error(memory, usage) for want of memory, unless memory is full.
  template <class Act>
  void in_memory(Act act) {
    if (full.load()) return;
    try {
      act();
    } catch (const Error& error) {
      const bool wants_memory = error.fault() == Fault::memory || error.fault() == Fault::usage;
      if (!interruptible || !wants_memory) throw;
      full.store(true);
      crowded.store(true);  // all threads stop
    }
  }
};

// The numbers of the successors in a batch, as far as they are known.
class BatchNumbers {
 public:
  // Of a row that waits for insertion at a place of the batch.
  static std::uint64_t waiting(std::size_t place) { return kWaiting | place; }

  void make_room(std::size_t successors) { numbers_.resize(successors); }
  void set(std::size_t place, std::uint64_t number) { numbers_[place] = number; }
  std::uint64_t operator[](std::size_t place) const {
    const std::uint64_t there = numbers_[place];
    return (there & kWaiting) != 0 ? numbers_[there & ~kWaiting] : there;
  }

 private:
  static constexpr std::uint64_t kWaiting = std::uint64_t{1} << 62;
  std::vector<std::uint64_t> numbers_;
};

template <class Set, class Follow>
class alignas(128) RamWorker {
 public:
  RamWorker(RamVisited<Set>& visited, Expander& expander, Follow& follow, Budget& budget,
            std::size_t words, std::size_t recent_rows, unsigned thread)
      : visited_(&visited),
        expander_(&expander),
        thread_(thread),
        words_(words),
        batch_rows_(
            std::max<std::size_t>(1, visited.settings.batch_bytes / (words * sizeof(Word)))),
        recent_(budget, words, recent_rows, Set::hash),
        follow_(&follow) {}

  static std::size_t recent_bytes(std::size_t words) { return Recent::bytes_of(words); }

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
  void expand_next() {
    const std::uint64_t number = unit_.rows.first + at_++;
    const State state = visited_->T.row(number, thread_);
    const States made = expander_->expand(state);
    const std::size_t end = expander_->batch_size();
    follow_->expanded(number, state, end - made.size(), end);
    note(made, end - made.size());
  }

  // Rows that are to be inserted; `place`: of the first of them in the batch.
  void note(States made, std::size_t place) {
    if (place + made.size() > hashes_.size()) make_room(place + made.size());
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
  bool was_met(State row, std::uint64_t hash, std::size_t place);
  // Writes the hashes of long rows, and asks for their places among recent ones.
  void expect(States made);
  void make_room(std::size_t successors) {
    hashes_.resize(2 * successors);
    places_.resize(2 * successors);
    if constexpr (Follow::kNumbers) numbers_.make_room(2 * successors);
  }
  std::uint64_t hash_of(State row) const {
    return Set::hash(row.data(), Set::kWords != 0 ? Set::kWords : words_);
  }
  Insert insert(const Word* row, std::size_t noted);
  void forget_batch();
  bool load_row(const Word* row, std::uint64_t hash);

  static constexpr bool kLong = Set::kWords == 0;
  using Recent = RecentRows<Set::kWords, Follow::kNumbers>;

  RamVisited<Set>* visited_;
  Expander* expander_;
  unsigned thread_;
  std::size_t words_;
  std::size_t batch_rows_;
  Recent recent_;                      // successors that were made a moment ago
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
  BatchNumbers numbers_;               // if they are followed
  Follow* follow_;
};

template <class Set, class Follow>
void RamWorker<Set, Follow>::note_all(States made, std::size_t place) {
  for (const State t : made) {
    const std::uint64_t hash = hash_of(t);
    visited_->T.prefetch(hash);
    hashes_[noted_] = hash;
    places_[noted_++] = static_cast<std::uint32_t>(place++);
  }
  until_look_ -= static_cast<std::int64_t>(made.size());
}

template <class Set, class Follow>
void RamWorker<Set, Follow>::expect(States made) {
  std::uint64_t* hash = hashes_.data() + noted_;
  for (const State t : made) {
    *hash = hash_of(t);
    recent_.expect_long(*hash++);
  }
}

template <class Set, class Follow>
bool RamWorker<Set, Follow>::was_met(State row, std::uint64_t hash, std::size_t place) {
  if constexpr (Follow::kNumbers) {
    const std::uint64_t number = recent_.meet(row.data(), hash, BatchNumbers::waiting(place));
    numbers_.set(place, number);
    return number != Recent::kNone;
  } else {
    return recent_.meet(row.data(), hash);
  }
}

template <class Set, class Follow>
void RamWorker<Set, Follow>::note_others(States made, std::size_t place) {
  const std::size_t look_rows = visited_->settings.look_rows;
  const std::size_t before = noted_;
  std::size_t kept = before;  // without branches: whether a row is repeated cannot be predicted
  if constexpr (kLong) expect(made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const State t = made[i];
    const std::uint64_t hash = kLong ? hashes_[before + i] : hash_of(t);
    hashes_[kept] = hash;
    places_[kept] = static_cast<std::uint32_t>(place);
    kept += was_met(t, hash, place++) ? 0 : 1;
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

template <class Set, class Follow>
Insert RamWorker<Set, Follow>::insert(const Word* row, std::size_t noted) {
  std::uint64_t number = 0;
  const Insert done = visited_->T.insert(row, hashes_[noted], thread_, number);
  fresh_ += done == Insert::fresh ? 1 : 0;
  if constexpr (Follow::kNumbers) {
    const std::uint32_t place = places_[noted];
    numbers_.set(place, number);
    if (done != Insert::full)
      recent_.renumber(hashes_[noted], BatchNumbers::waiting(place), number);
  }
  return done;
}

template <class Set, class Follow>
bool RamWorker<Set, Follow>::settle(std::size_t waiting) {
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
      if (!visited.T.ready(thread_)) {
        visited.out_of_memory();
        if (!visited.full) break;
        visited.crowded.store(true);  // the others stop as well
        return false;
      }
      if (insert(batch[places_[i]].data(), i) == Insert::full) {
        visited.crowded.store(true);
        return false;
      }
    }
    inserted_ = count - waiting;
  }
  if (waiting == 0) forget_batch();
  return true;
}

template <class Set, class Follow>
void RamWorker<Set, Follow>::forget_batch() {
  if constexpr (Follow::kNumbers) {
    const auto mark = [this](std::size_t place) { return expander_->mark(place); };
    const auto number = [this](std::size_t place) { return numbers_[place]; };
    if (!visited_->levels.discarding())
      visited_->in_memory([&] { follow_->settled(expander_->batch(), mark, number); });
    follow_->forget();
  }
  expander_->clear();
  noted_ = 0;
  inserted_ = 0;
}

template <class Set, class Follow>
States RamWorker<Set, Follow>::waiting() const {
  const States batch = expander_->batch();
  if (inserted_ == noted_) return {};
  const std::size_t first = places_[inserted_];
  return {batch[first].data(), batch.size() - first, words_};
}

template <class Set, class Follow>
std::size_t RamWorker<Set, Follow>::load(States rows) {
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

template <class Set, class Follow>
bool RamWorker<Set, Follow>::load_row(const Word* row, std::uint64_t hash) {
  if (!visited_->T.ready(thread_)) {
    visited_->out_of_memory();
    return false;
  }
  std::uint64_t number = 0;
  const Insert done = visited_->T.insert(row, hash, thread_, number);
  if (done == Insert::known) throw Error(Fault::integrity, "corrupt log: a state appears twice");
  if (done == Insert::full) visited_->crowded.store(true);
  fresh_ += done == Insert::fresh ? 1 : 0;
  return done == Insert::fresh;
}

}  // namespace spillway
