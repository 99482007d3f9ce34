// Decides which rows are states of a program: each scalar has a value of its type, or is undefined
// where it may be, bags and channels are in the one form that they have, and all other bits are
// zero.
//
// Rows that the program has made are such rows, and whatever executes it takes that for granted.
// So rows from elsewhere are tested before it sees them.
//
// All scalars are tested at once, as if the row were one number.  To each field with fewer codes
// than its bits have is added what is missing to its greatest code, so that a code beyond that one
// makes a carry into the bit after the field.  Nothing else makes a carry there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/state.h"
#include "program/bags.h"
#include "program/layout.h"
#include "program/program.h"

namespace spillway::program {

class RowDomain {
 public:
  // REQUIRES: both outlive it.
  RowDomain(const Program& program, const Layout& layout);

  bool has(State row) const {
    return are_scalars(row) && (bags_.empty() || are_bags(row)) &&
           (queues_.empty() || are_queues(row));
  }
  // Names the first variable without a value of its type.  REQUIRES: !has(row).
  std::string why_not(State row) const;

 private:
  struct Test {
    Word missing = 0;  // of the fields: to their greatest codes
    Word after = 0;    // the first bit after each field that is tested
    Word unused = ~Word{0};
  };
  struct Bits {
    std::uint64_t first;
    unsigned width;
    std::uint64_t code;
  };
  // Messages, of which the first ones are there, and the others are zero.
  struct Queue {
    Layout::Cell count;
    std::vector<std::vector<Bits>> empty;  // of each message
  };

  void add(const Layout::Cell& cell);
  void add_queue(const Type& type, std::size_t cell);
  bool are_scalars(State row) const;
  bool are_bags(State row) const;
  bool are_queues(State row) const;
  static bool is_sorted(const PackedBag& bag, State row);
  static bool has_no_more(const Queue& queue, State row);

  const Program& program_;
  const Layout& layout_;
  std::vector<Test> tests_;  // of each word
  std::vector<PackedBag> bags_;
  std::vector<Queue> queues_;
};

}  // namespace spillway::program
