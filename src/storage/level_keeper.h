// Where the blocks of every level of a search go, for traces and, in a log, for whoever continues the search.
#pragma once

#include <cstdint>
#include <functional>

#include "storage/chunk_store.h"

namespace spillway {

class LevelKeeper : public BlockKeeper {
 public:
  // What is kept from now on belongs to the next level, 0 at first.
  virtual void begin_level() = 0;

  // Calls visit for every block of a level (run_block.h), in one thread.  Nothing is kept afterwards.
  virtual void each(std::uint64_t level, const std::function<void(Bytes)>& visit) = 0;
};

// What both kinds of keepers write: the number of a level, then a block of it.
struct LevelRecord {
  std::uint64_t level;
  Bytes block;
};
// The record at the beginning of `rest`, which is cut off.  Throws Error(integrity).
LevelRecord take_record(Bytes& rest);
// Calls visit for the blocks of a level among these records.  False: a later level has begun.
bool visit_level(Bytes records, std::uint64_t level, const std::function<void(Bytes)>& visit);

}  // namespace spillway
