// Keeps the blocks of every level of a search, for traces and, in a log, for resuming the search.
#pragma once

#include <cstdint>
#include <functional>

#include "base/process/crew.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {

class LevelKeeper : public BlockKeeper {
 public:
  // Blocks kept from now on belong to the next level, beginning with level 0.
  virtual void begin_level() = 0;

  // Calls visit for every block (run_block.h) of a level, in one thread.  REQUIRES: nothing is kept
  // meanwhile.
  virtual void each(std::uint64_t level, const std::function<void(Bytes)>& visit) = 0;
  // The same for the rows in them, some at a time.  `shape`: of the blocks.
  void each_batch(std::uint64_t level, const BlockShape& shape,
                  const std::function<void(States)>& visit);
  // The same for single rows, dealt out to all threads of the crew.
  void each_row(std::uint64_t level, const BlockShape& shape, Crew& crew,
                const std::function<void(unsigned thread, State)>& visit);
};

// Calls visit for these rows, dealt out to all threads of the crew.
void deal_out(Crew& crew, States rows, const std::function<void(unsigned thread, State)>& visit);

// The record that all keepers write: the number of a level, then a block of it.
struct LevelRecord {
  std::uint64_t level;
  Bytes block;
};
// Cuts the first record off `rest`.  Throws Error(integrity).
LevelRecord take_record(Bytes& rest);
// Calls visit for the blocks of `level` among these records.  False if a later level has begun.
bool visit_level(Bytes records, std::uint64_t level, const std::function<void(Bytes)>& visit);

}  // namespace spillway
