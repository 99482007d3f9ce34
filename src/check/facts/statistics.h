// Counters of a search.  Counts cover completed levels only, so they do not depend on the number of
// threads or on where in a level a search was stopped.  An unfinished level is reported separately.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/hash/digest.h"
#include "base/process/activity.h"

namespace spillway {

// What was expanded.  Sums do not depend on the order, so tallies of threads can be added.
struct Tally {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // out of them
  Digest digest;

  Tally& operator+=(const Tally& other) {
    states += other.states;
    transitions += other.transitions;
    digest.add(other.digest);
    return *this;
  }
};
using Level = Tally;

struct Unfinished {
  std::uint64_t level = 0;
  std::uint64_t states = 0;    // of the level
  std::uint64_t expanded = 0;  // of them
};

// A figure that an algorithm reports besides expansions, in the terms of its paper:
// papers/states/counts.h.
struct Counter {
  std::string_view name;
  std::uint64_t value = 0;
};
using Counters = std::vector<Counter>;
inline Counters operator+(Counters some, const Counters& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

struct Statistics {
  std::vector<Level> levels;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  Digest digest;
  std::optional<Unfinished> unfinished;
  bool in_levels = true;  // false: all states are in one
  // Expansions of states that were expanded before; their transitions count again.
  std::uint64_t revisits = 0;
  Counters counters;                          // of a published algorithm; they depend on the memory
  std::optional<ActivitySeconds> activities;  // where the time went, if the search measures it
  std::uint64_t disk_bytes_read = 0;
  std::uint64_t disk_bytes_written = 0;

  void add(const Level& level) {
    levels.push_back(level);
    states += level.states;
    transitions += level.transitions;
    digest.add(level.digest);
  }
  // Of the deepest state; 0 for an empty search.
  std::uint64_t depth() const { return levels.empty() ? 0 : levels.size() - 1; }
};

}  // namespace spillway
