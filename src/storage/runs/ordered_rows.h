// Rows that all threads of a crew add, and one reads in order, in any amount of memory.
#pragma once

#include <functional>
#include <memory>

#include "base/process/crew.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

class OrderedRows {
 public:
  // Takes about `bytes` of memory from begin() to end().  `poll` is called now and then by threads
  // that add rows.  REQUIRES: the store and the crew outlive it.
  static std::unique_ptr<OrderedRows> make(ChunkStore& store, Crew& crew, std::size_t words,
                                           std::uint64_t bytes,
                                           std::function<void(unsigned thread)> poll = {});
  virtual ~OrderedRows() = default;
  // The shape of its blocks.
  static BlockShape shape(std::size_t words, std::uint64_t bytes);

  // All of these throw Error(usage) and Error(memory) if there is too little memory, and errors of
  // the disk.
  virtual void begin() = 0;
  virtual void add(unsigned thread, State row) = 0;  // from all threads of the crew
  // Calls visit(rows) for all rows in order, without duplicates, some at a time.
  virtual void each(const std::function<void(States)>& visit) = 0;
  virtual void end() = 0;
};

}  // namespace spillway
