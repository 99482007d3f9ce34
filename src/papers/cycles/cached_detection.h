// Cached duplicate detection (CDD) of Wu et al.: the most recent states in memory, all others on
// disk.
//
// H has the states that were inserted last, and forgets the oldest: when it is full, a share rho of
// it goes to disk together.  What is not in H may be on disk, so each new state costs a lookup
// there once anything is.  The disk has one table, into which the states are merged (linear
// hash-sorting), or several: then they become a table of their own, and tables of similar size are
// merged.  One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory/pages.h"
#include "check/facts/statistics.h"
#include "papers/cycles/hash_sorted_table.h"
#include "papers/storage/filter.h"

namespace spillway {

// States in the order of insertion, that can be found.  A fixed number, drawn from the budget.
class RecentStates {
 public:
  // `words`: of a record, a hash and a state.
  RecentStates(Budget& budget, std::size_t words, std::uint64_t capacity);
  static std::uint64_t bytes_per_record(std::size_t words) {
    return words * sizeof(Word) + 2 * sizeof(Link);
  }

  std::uint64_t size() const { return size_; }
  bool full() const { return size_ == capacity_; }
  bool contains(const Word* record) const;
  void insert(const Word* record);  // REQUIRES: it is not there, and not full
  // Copies the oldest to `record` and removes it.  REQUIRES: not empty.
  void take_oldest(Word* record);

 private:
  using Link = std::uint32_t;  // a slot plus one; 0: none
  Word* row(std::uint64_t slot) const { return rows_ + slot * words_; }
  Link& head(const Word* record) const { return heads_[place_of(record[0], capacity_)]; }

  const std::size_t words_;
  const std::uint64_t capacity_;
  Pages pages_;
  Word* rows_;
  Link* heads_;
  Link* next_;
  std::uint64_t oldest_ = 0;  // slot
  std::uint64_t size_ = 0;
};

struct DetectionSettings {
  std::uint64_t recent = 1;        // states in H
  double rho = 0.02;               // of H goes to disk when it is full
  bool tiered = false;             // several tables on disk
  std::size_t fan_in = 4;          // of similar size, which become one; at least 2
  std::uint64_t filter_bytes = 0;  // of a filter before the disk; 0: none
};

struct DetectionCounts {
  std::uint64_t lookups = 0;    // states that were looked for
  std::uint64_t in_memory = 0;  // of them, decided without the disk
  std::uint64_t merges = 0;     // of H with the disk
  std::uint64_t moved = 0;      // states, by them
  std::uint64_t read_blocks = 0, written_blocks = 0, looked_up_blocks = 0;
};

class CachedDetection {
 public:
  // The words of a row of the store are those of a record: a hash and a state.
  CachedDetection(Store& store, const DetectionSettings& settings);

  // False: it was there.
  bool insert(State state);
  bool contains(State state);

  std::uint64_t size() const { return size_; }
  DetectionCounts counts() const;

 private:
  void make_record(State state);
  bool is_known();  // the record
  void move_oldest();
  void add_table();
  void merge_tables(std::size_t count);

  Store& store_;
  const DetectionSettings settings_;
  const std::size_t words_;  // of a record
  RecentStates recent_;
  std::optional<Filter> filter_;
  const std::uint64_t moved_at_once_;
  Pages moving_pages_;
  std::vector<std::unique_ptr<HashSortedTable>> tables_;  // the largest first
  std::vector<Word> record_;
  std::uint64_t size_ = 0;
  DetectionCounts counts_;  // with those of tables that are no more
};

}  // namespace spillway
