// One thread of the search `levels`: successors on their way from the model into the table, and
// edges to them.
//
// It works as the RAM search does (search/ram/ram_worker.h): a successor waits between the moment
// its cache line is asked for and its insertion, and most successors that were made a moment ago
// are known without asking the table.  All successors of a batch have numbers before the batch is
// forgotten, and then the edges are kept that an accepting cycle can have.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "check/session/expander.h"
#include "check/session/level_accounts.h"
#include "search/cycles/kept_edges.h"
#include "search/cycles/level_graph.h"
#include "search/cycles/recent_numbers.h"
#include "storage/table/frontier.h"
#include "storage/table/long_row_table.h"

namespace spillway {

// What the threads share.
struct LevelVisited {
  const Model& model;
  LevelAccounts& levels;
  RowPool& pool;
  LongRowTable& table;
  LevelGraph& graph;
  std::size_t in_flight;              // successors between prefetch and insertion
  std::size_t batch_rows;             // successors made before their buffer is used again
  std::size_t look_rows;              // successors after which to see whether recent ones help
  std::atomic<std::uint64_t> met{0};  // states in the table
  std::atomic<bool> crowded{false};   // the table wants to grow, or all threads are to stop
  std::atomic<bool> has_loop{false};  // a state is an accepting cycle by itself
};

class alignas(128) RamCyclesWorker {
 public:
  RamCyclesWorker(LevelVisited& visited, Expander& expander, Budget& budget,
                  std::size_t recent_rows);

  RowPool::Writer& next_level() { return next_; }
  const RowPool::Writer& next_level() const { return next_; }
  KeptEdges& edges() { return edges_; }

  // The states a thread has taken from the current level.
  const Frontier::Unit& unit() const { return unit_; }
  void take(const Frontier::Unit& unit) {
    unit_ = unit;
    at_ = 0;
  }
  bool has_unit() const { return unit_.rows.count != 0; }
  bool unit_is_done() const { return at_ == unit_.rows.count; }

  // Adds the successors of the next state of the unit to the batch, and asks for the line of each
  // in the table.
  void expand_next();
  // Rows in the batch that are no successors.
  void note(States rows) { note(rows, 0); }

  // Inserts successors if enough are waiting.  False if it stopped because the table wants to grow.
  bool settle_some();
  // Inserts successors of the batch, the oldest first, until at most `waiting` are left.  False if
  // it stopped because the table wants to grow.  If none are left, the edges of the batch are kept
  // and it is forgotten.
  bool settle(std::size_t waiting);

  // Adds what is new to `met`.
  void publish();

 private:
  // A state that was expanded, and its successors in the batch.
  struct Source {
    std::uint64_t row;
    std::size_t first, end;
  };
  // The number of a row that waits for insertion at a place of the batch.
  static constexpr std::uint64_t kWaiting = std::uint64_t{1} << 62;

  void note(States made, std::size_t place);
  void note_all(States made, std::size_t place);
  void note_others(States made, std::size_t place);
  void make_room(std::size_t successors);
  bool insert(std::size_t i);
  void keep_edges();
  void keep_edges(const Source& source);
  std::uint64_t number(std::size_t place) const {
    const std::uint64_t there = numbers_[place];
    return (there & kWaiting) != 0 ? numbers_[there & ~kWaiting] : there;
  }

  LevelVisited* visited_;
  Expander* expander_;
  const std::size_t words_;
  const bool marks_steps_;
  const SetMask wanted_;
  RowPool::Writer next_;                // new states: the next level
  RecentNumbers recent_;                // successors that were made a moment ago
  Frontier::Unit unit_{};               // of the current level
  std::uint64_t at_ = 0;                // in the unit
  std::size_t noted_ = 0;               // successors in the batch that are not recent
  std::vector<std::uint32_t> places_;   // of them in the batch, and room for more
  std::vector<std::uint64_t> hashes_;   // of them, and room for more
  std::size_t inserted_ = 0;            // of them are dealt with
  std::vector<std::uint64_t> numbers_;  // of all successors in the batch, as far as they are known
  std::vector<Source> sources_;         // of the batch
  std::vector<std::uint32_t> rows_;     // for keep_edges()
  std::vector<SetMask> marks_;          // the same
  KeptEdges edges_;                     // of the current level
  std::uint64_t looked_ = 0;            // successors that were looked up in `recent`
  std::uint64_t missed_ = 0;            // of them were not there
  std::int64_t until_look_ = 0;         // successors, because it was not worth it
  std::uint64_t fresh_ = 0;             // states added to the table and not yet to `met`
};

}  // namespace spillway
