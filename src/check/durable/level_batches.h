// Reads a log of levels back, on all threads.
//
// Rows come from outside of this process.  One that is no state of the model is not taken, and ends
// the reading with an error.
//
// One thread reads the files and collects records of a level into a batch.  All threads unpack,
// digest and take the rows of a batch, which is where the time goes.
#pragma once

#include <cstdint>
#include <functional>

#include "base/process/crew.h"
#include "check/session/checkpoints.h"
#include "storage/levels/level_log.h"

namespace spillway {

struct BatchSettings {
  std::uint64_t undigested = 0;  // levels from this one on are not digested
  std::size_t alone_bytes = 0;   // smaller batches are handled by one thread
  // Whose states all rows must be; nullptr: they are not given to any model.
  const Transitions* steps = nullptr;
};
// Called after each batch with the count and digest of its rows.
using FoundRows = std::function<void(std::uint64_t level, const Level& found)>;

// Reads the entire log.  False if the taker wanted no more.  Throws Error(integrity).
bool take_levels(LevelLog& log, Budget& budget, Crew& crew, BatchSettings settings,
                 const LevelTaker& taker, const FoundRows& found);

}  // namespace spillway
