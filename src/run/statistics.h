// What a search counts.  Counts cover whole levels only, so they are the same for any number of threads and
// wherever in a level a search was stopped; what was done in a level that was not finished is apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/activity.h"
#include "base/digest.h"

namespace spillway {

struct Level {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;  // out of them
  Digest digest;
};

struct Unfinished {
  std::uint64_t level = 0;
  std::uint64_t states = 0;    // of the level
  std::uint64_t expanded = 0;  // of them
};

// What an algorithm has done besides expanding states, in the words of its paper: safety/counts.h.
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
  bool in_levels = true;       // otherwise all states are in one
  std::uint64_t revisits = 0;  // expansions of states that were expanded before; their transitions count again
  Counters counters;           // of an algorithm of a paper; these depend on the memory
  std::optional<ActivitySeconds> activities;  // where the time went, if the search looks at that
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
