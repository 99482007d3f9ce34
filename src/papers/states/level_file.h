// States on disk, where those of each level lie side by side.
#pragma once

#include <vector>

#include "papers/storage/state_file.h"

namespace spillway {

class LevelFile {
 public:
  LevelFile(Store& store, std::string_view purpose) : file_(store, purpose) {}

  void append(std::uint64_t level, State row) {
    if (segments_.empty() || segments_.back().level != level)
      segments_.push_back({level, file_.size(), file_.size()});
    file_.append(row);
    ++segments_.back().end;
  }

  // Calls visit(level, row) for all rows, in the order in which they were appended.
  template <class Visit>
  void each(Visit visit) {
    std::size_t i = 0;
    std::uint64_t row = 0;
    for (const State s : file_.scan()) {
      while (row == segments_[i].end) ++i;
      ++row;
      visit(segments_[i].level, s);
    }
  }

  // Calls visit(row) for all rows of a level.
  template <class Visit>
  void each_of(std::uint64_t level, Visit visit) {
    for (const Segment& segment : segments_)
      if (segment.level == level)
        for (const State s : file_.scan(segment.begin, segment.end)) visit(s);
  }

  std::uint64_t size() const { return file_.size(); }
  void clear() {
    file_.clear();
    segments_.clear();
  }

 private:
  struct Segment {
    std::uint64_t level;
    std::uint64_t begin;
    std::uint64_t end;
  };

  StateFile file_;
  std::vector<Segment> segments_;
};

}  // namespace spillway
