// A FIFO queue of rows.  Both ends are in memory, the middle is on disk.
//
// Full blocks at the end of the queue go to the disk and come back at its front.  A queue of no
// more rows than a block or two does not use the disk.  The middle is a sequence of files, each
// removed once it has been read.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "papers/storage/row_sum.h"
#include "papers/storage/store.h"

namespace spillway {

class StateQueue {
 public:
  // Draws from the budget: `behind` and `ahead` of the store, and one block.
  explicit StateQueue(Store& store, std::string_view purpose = "queue");
  StateQueue(const StateQueue&) = delete;
  StateQueue& operator=(const StateQueue&) = delete;

  void push(State row);
  // std::nullopt if the queue is empty.  Valid until the next pop().  Throws Error; also
  // Error(integrity) if the queue is empty and what came out is not what went in.
  std::optional<State> pop();

  std::uint64_t size() const { return pushed_.rows - popped_.rows; }
  bool empty() const { return size() == 0; }
  void clear();

  // Passes all rows to take(State); the queue is empty afterwards.
  template <class Take>
  void drain(Take take) {
    while (const std::optional<State> row = pop()) take(*row);
  }

 private:
  BlockFile& new_file();
  bool refill();
  bool look_at_next_block();
  bool take_unwritten();
  void check_all() const;

  Store& store_;
  const std::string purpose_;
  const std::size_t words_;
  std::deque<std::unique_ptr<BlockFile>> files_;  // the last one is being written
  std::uint64_t read_ = 0;                        // blocks of the first file given to the reader
  Buffer front_;                                  // rows that have not been on disk
  BlockWriter writer_;
  BlockReader reader_;
  const Word* row_ = nullptr;  // the next one
  const Word* end_ = nullptr;
  RowSum pushed_;
  RowSum popped_;
};

inline void insert(StateQueue& queue, State state) { queue.push(state); }  // for Partitioned

}  // namespace spillway
