// Short rows for wide states: a state is cut into parts, the values of each part are numbered
// (column.h), and a row has the numbers, 32 bits each.
//
// What differs little from state to state, whole records, is stored once.  A search that has short
// rows stores, sorts and compares them as it does other rows; bits of numbers that are always zero
// cost it nothing (storage/runs/packing/row_squeeze.h).
//
// A row with a young value has a provisional number in it, so it waits here until its level is
// complete.  It is a new state for sure.  Then its values are settled, and the search takes it.  No
// row that a search has ever seen changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/memory/budget.h"
#include "base/state.h"
#include "storage/parts/column.h"
#include "storage/parts/row_parts.h"

namespace spillway {

struct PartedSettings {
  unsigned hash_bits = 32;           // of values
  std::uint64_t check_one_in = 256;  // short rows are decoded at once, and compared
};

class PartedRows {
 public:
  static constexpr std::size_t kLeastWords = 3;  // of short rows

  PartedRows(Budget& budget, RowParts parts, const PartedSettings& settings = {});

  std::size_t words() const { return words_; }
  std::size_t whole_words() const { return parts_.words(); }
  const RowParts& parts() const { return parts_; }

  // A state in both forms, of one thread.  Successors differ little from it.
  class Hand {
   public:
    explicit Hand(const PartedRows& rows)
        : whole_(rows.whole_words()), row_(rows.words(), ~Word{0}), value_(rows.most_words_) {}

   private:
    friend class PartedRows;
    std::vector<Word> whole_, row_, value_;
    std::uint64_t until_check_ = 1;
  };

  // The state of a row; the hand has both.  Valid until the next call with this hand.  Throws
  // Error(integrity) if a number has no value.
  State whole(State row, Hand& hand) const;
  // Writes the row of a state.  False: it has a young value, and waits.  Any thread.  Throws
  // Error(memory) if the budget refuses.
  [[nodiscard]] bool shorten(State whole, Hand& hand, Word* row);

  // Rows that have waited, at most `most`; empty: no more wait.  Valid until the next call.
  // REQUIRES: no other thread calls anything.  Once it is called, all successors of the level have
  // been shortened, until it returns nothing.
  States take_young(std::size_t most);
  // Of rows that were shortened so far, which nobody takes: their values are known from now on.
  void settle_values();
  // The level will not be completed.
  void forget_young();

  // Values of all parts, settled ones.
  std::uint64_t values() const;

 private:
  static std::uint32_t number(State row, std::size_t part) {
    return static_cast<std::uint32_t>(row[part / 2] >> part % 2 * 32);
  }
  static void set_number(Word* row, std::size_t part, std::uint32_t number) {
    const unsigned shift = part % 2 * 32;
    row[part / 2] = (row[part / 2] & ~(Word{UINT32_MAX} << shift)) | Word{number} << shift;
  }
  void check(State whole, State row) const;
  void settle();

  const RowParts parts_;
  const PartedSettings settings_;
  const std::size_t words_;
  std::size_t most_words_ = 0;  // of a value
  std::vector<std::unique_ptr<Column>> columns_;

  std::mutex mutex_;  // guards young_
  ValueSet young_;    // rows

  // While rows that have waited are taken: of each column, how many were settled before, and the
  // numbers that the others have got.
  struct Settled {
    std::uint32_t before;
    std::vector<std::uint32_t> numbers;
  };
  std::vector<Settled> settled_;
  std::uint32_t taken_ = 0;
  std::vector<Word> taking_;
};

}  // namespace spillway
