// Cached duplicate detection (CDD) of Wu et al.: the most recent states in memory, all others on
// disk.
//
// H has the states that were inserted last, and forgets the oldest: when it is full, a share rho of
// it goes to disk together, where they are merged into a table (linear hash-sorting).  What is not
// in H may be on disk, so each new state costs a lookup there once anything is.  One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/memory/pages.h"
#include "check/facts/statistics.h"
#include "papers/cycles/hash_sorted_table.h"

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
  std::uint64_t recent = 1;  // states in H
  double rho = 0.02;         // of H goes to disk when it is full
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

  const std::size_t words_;  // of a record
  RecentStates recent_;
  const std::uint64_t moved_at_once_;
  Pages moving_pages_;
  HashSortedTable table_;
  std::vector<Word> record_;
  std::uint64_t size_ = 0;
  DetectionCounts counts_;  // but for blocks, which the table counts
};

}  // namespace spillway
