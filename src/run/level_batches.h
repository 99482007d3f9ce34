// Reads a log of levels back, on all threads.
//
// One thread reads the files and gathers records of a level into a batch; all threads unpack, digest and take the rows
// of a batch, which is where the time goes.
#pragma once

#include <cstdint>
#include <functional>

#include "base/crew.h"
#include "run/statistics.h"
#include "storage/level_log.h"

namespace spillway {

// What becomes of the rows.
struct LevelTaker {
  // The rows that are given next are of this level; levels come in order.  Called for every batch, and again when rows
  // of it were not taken, while no thread takes any.  False: no more are wanted.
  std::function<bool(std::uint64_t level)> prepare;
  // Takes rows, the first of them at least, and returns how many; none or a part: prepare() has to do something first.
  // For one worker from one thread at a time, for several at once.
  std::function<std::size_t(unsigned worker, States rows)> take;
};

struct BatchSettings {
  std::uint64_t undigested = 0;  // from this level on no digest is wanted
  std::size_t alone_bytes = 0;   // smaller batches are not worth waking threads
};
// What there was of a level in a batch.
using FoundRows = std::function<void(std::uint64_t level, const Level& found)>;

// Goes through all of the log.  False: no more were wanted.  Throws Error(integrity).
bool take_levels(LevelLog& log, Budget& budget, Crew& crew, BatchSettings settings, const LevelTaker& taker,
                 const FoundRows& found);

}  // namespace spillway
