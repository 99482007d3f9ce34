// At which depth was a state met, in one byte per state.
//
// Tags 1 to 255 stand for intervals of consecutive levels.  As long as there are plenty of tags, each level
// has its own.  In a deep graph narrow levels share one: a tag takes in level after level until it holds half
// a percent of all states met.  When the tags are used up, neighbouring intervals that are small together
// are joined, and the owner of the tags renames those in use.  So wide levels keep a tag of their own, and
// the states of a shared tag are few enough to be told apart by searching among them: see kept_levels.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "storage/bucket.h"

namespace spillway {

class LevelTags {
 public:
  struct Interval {
    std::uint64_t first_level;
    std::uint64_t levels;
    std::uint64_t states;
    Tag tag;
  };
  using Renaming = std::array<Tag, 256>;

  // The tag for the states of the next level; levels come in order, from 0 on.  Before the first state is
  // stored with it, those stored before must be renamed as `renaming` says, if it says anything.
  struct Opened {
    Tag tag;
    std::optional<Renaming> renaming;
  };
  Opened open_level();

  // The level opened last has got so many states.
  void close_level(std::uint64_t states);

  // In increasing order of levels.
  const std::vector<Interval>& intervals() const { return intervals_; }
  // REQUIRES: the level has been opened.
  std::size_t interval_of(std::uint64_t level) const;

 private:
  Renaming join();

  std::vector<Interval> intervals_;
  std::uint64_t next_level_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace spillway
