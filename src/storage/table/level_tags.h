// The depth at which a state was found, in one byte per state.
//
// Tags 1 to 255 stand for intervals of consecutive levels.  While there are plenty of tags, each
// level has its own.  In a deep graph, narrow levels share one: a tag takes in level after level
// until it holds half a percent of all states found.  When the tags are used up, neighbouring
// intervals that are small together are joined, and the owner of the tags renames those in use.  So
// wide levels keep a tag of their own, and a shared tag has few enough states to tell them apart by
// searching among them: see kept_levels.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "storage/table/bucket.h"

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

  // The tag for the states of the next level; levels come in order, from 0.  If there is a
  // `renaming`, stored tags must be renamed before the first state is stored with the new tag.
  struct Opened {
    Tag tag;
    std::optional<Renaming> renaming;
  };
  Opened open_level();

  // Records the number of states of the level opened last.
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
