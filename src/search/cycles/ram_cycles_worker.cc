#include "search/cycles/ram_cycles_worker.h"

#include <algorithm>

#include "base/hash/hash.h"

namespace spillway {

RamCyclesWorker::RamCyclesWorker(LevelVisited& visited, Expander& expander, Budget& budget,
                                 std::size_t recent_rows)
    : visited_(&visited),
      expander_(&expander),
      words_(visited.model.words()),
      marks_steps_(visited.model.marks_steps()),
      wanted_(all_sets(visited.model.acceptance_sets())),
      next_(visited.pool),
      recent_(budget, words_, recent_rows),
      edges_(budget, marks_steps_ ? std::max(1U, visited.model.acceptance_sets()) : 0) {
  if (marks_steps_) expander.want_marks();
}

void RamCyclesWorker::expand_next() {
  const std::uint64_t row = unit_.rows.first + at_++;
  const States made = expander_->expand(visited_->pool.row(row));
  const std::size_t end = expander_->batch_size();
  if (visited_->graph.node(row) != NodeNumbers::kNone && !made.empty())
    sources_.push_back({row, end - made.size(), end});
  note(made, end - made.size());
}

void RamCyclesWorker::note(States made, std::size_t place) {
  if (place + made.size() > hashes_.size()) make_room(place + made.size());
  if (until_look_ > 0)
    note_all(made, place);
  else
    note_others(made, place);
}

void RamCyclesWorker::make_room(std::size_t successors) {
  hashes_.resize(2 * successors);
  places_.resize(2 * successors);
  numbers_.resize(2 * successors);
}

void RamCyclesWorker::note_all(States made, std::size_t place) {
  for (const State t : made) {
    const std::uint64_t hash = place_hash(t.data(), words_);
    visited_->table.prefetch(hash);
    hashes_[noted_] = hash;
    places_[noted_++] = static_cast<std::uint32_t>(place++);
  }
  until_look_ -= static_cast<std::int64_t>(made.size());
}

void RamCyclesWorker::note_others(States made, std::size_t place) {
  const std::size_t before = noted_;
  for (const State t : made) {
    const std::uint64_t hash = place_hash(t.data(), words_);
    const std::uint64_t number = recent_.meet(t.data(), hash, kWaiting | place);
    numbers_[place] = number;
    hashes_[noted_] = hash;
    places_[noted_] = static_cast<std::uint32_t>(place++);
    if (number == RecentNumbers::kNone) {
      visited_->table.prefetch(hash);
      ++noted_;
    }
  }
  looked_ += made.size();
  missed_ += noted_ - before;
  if (looked_ < visited_->look_rows) return;
  if (missed_ > looked_ / 4 * 3) until_look_ = static_cast<std::int64_t>(16 * visited_->look_rows);
  looked_ = missed_ = 0;
}

bool RamCyclesWorker::settle_some() {
  const bool batched = expander_->batch_size() >= visited_->batch_rows;
  if (!batched && noted_ - inserted_ <= 2 * visited_->in_flight) return true;
  return settle(batched ? 0 : visited_->in_flight);
}

bool RamCyclesWorker::settle(std::size_t waiting) {
  const bool discarding = visited_->levels.discarding();
  while (!discarding && noted_ - inserted_ > waiting) {
    if (const std::size_t ahead = inserted_ + visited_->in_flight / 2; ahead < noted_)
      visited_->table.prefetch_rows(hashes_[ahead]);
    if (!insert(inserted_)) return false;
    ++inserted_;
  }
  if (discarding) inserted_ = noted_;
  if (waiting != 0) return true;
  if (!visited_->levels.discarding()) keep_edges();
  sources_.clear();
  expander_->clear();
  noted_ = inserted_ = 0;
  return true;
}

bool RamCyclesWorker::insert(std::size_t i) {
  if (!next_.ready()) {
    visited_->levels.cannot_store(Stop::memory);
    return true;
  }
  const std::uint32_t place = places_[i];
  std::uint64_t number = 0;
  const Insert done =
      visited_->table.insert(expander_->batch()[place].data(), hashes_[i], next_, number);
  if (done == Insert::full) {
    visited_->crowded.store(true);
    return false;
  }
  fresh_ += done == Insert::fresh ? 1 : 0;
  numbers_[place] = number;
  recent_.renumber(hashes_[i], kWaiting | place, number);
  return true;
}

void RamCyclesWorker::keep_edges() {
  for (const Source& source : sources_) keep_edges(source);
}

void RamCyclesWorker::keep_edges(const Source& source) {
  const Model& model = visited_->model;
  const State from = visited_->pool.row(source.row);
  const std::uint32_t part = model.acceptance_part(from);
  const SetMask of_state = !marks_steps_ && model.accepting(from) ? 1 : 0;
  const States batch = expander_->batch();
  rows_.clear();
  marks_.clear();
  if (!marks_steps_) marks_.push_back(of_state);
  for (std::size_t i = source.first; i < source.end; ++i) {
    if (model.acceptance_part(batch[i]) != part) continue;
    rows_.push_back(static_cast<std::uint32_t>(number(i)));
    if (marks_steps_) marks_.push_back(expander_->mark(i));
    if (number(i) == source.row && marks_.back() == wanted_)
      visited_->has_loop.store(true, std::memory_order_relaxed);
  }
  if (!rows_.empty()) edges_.add(visited_->graph.node(source.row), rows_, marks_);
}

void RamCyclesWorker::publish() {
  const std::uint64_t total = visited_->met.fetch_add(fresh_) + fresh_;
  fresh_ = 0;
  visited_->levels.have_stored(total);
  if (total > visited_->table.comfortable_rows() && !visited_->levels.discarding())
    visited_->crowded.store(true);
}

}  // namespace spillway
