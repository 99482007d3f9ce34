// A LIFO stack of rows.  The top is in memory, the bottom on disk.
#pragma once

#include <vector>

#include "papers/storage/row_sum.h"
#include "papers/storage/store.h"

namespace spillway {

class StateStack {
 public:
  // Draws two blocks from the budget.
  explicit StateStack(Store& store, std::string_view purpose = "stack");
  StateStack(const StateStack&) = delete;
  StateStack& operator=(const StateStack&) = delete;

  void push(State row);
  // Valid until the next push() or pop().  REQUIRES: not empty.
  State top() const;
  std::span<Word> top_note();  // may be changed
  void pop();

  bool empty() const { return size() == 0; }
  std::uint64_t size() const {
    return (file_.blocks() + (lower_full_ ? 1 : 0)) * rows_ + upper_rows_;
  }
  void clear();

 private:
  Word* row(const Buffer& block, std::size_t i) const {
    return reinterpret_cast<Word*>(block.data() + kBlockHeaderBytes) + i * shape_.words();
  }
  RowSum sum_of(const Word* rows) const;
  void spill();
  void fetch();

  Store& store_;
  const Shape shape_;
  BlockFile file_;
  const std::size_t rows_;  // per block
  // Of the blocks on disk.  Blocks are rewritten with the same number, so a stale one has a valid
  // header.
  std::vector<RowSum> sums_;
  Buffer lower_;             // directly below upper_
  Buffer upper_;             // empty only if the stack is
  bool lower_full_ = false;  // otherwise empty
  std::size_t upper_rows_ = 0;
};

}  // namespace spillway
