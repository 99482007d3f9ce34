// The states of a level, from a table that knows only the interval of levels a state belongs to.
//
// Levels that have a tag of their own are read off the table.  Where several share one, their
// states are collected and told apart by searching among them: a state of the interval that is a
// successor of a state of an earlier interval is of the first level, its successors inside the
// interval that are not are of the second, and so on.  That is exact, because a step leads at most
// one level down.
#pragma once

#include <functional>
#include <vector>

#include "base/process/crew.h"
#include "base/state.h"
#include "model/transitions.h"
#include "storage/table/level_tags.h"

namespace spillway {

class KeptLevels {
 public:
  using Scan = std::function<void(unsigned, Tag, State)>;
  // calls the scan for every row of the table
  using ScanTable = std::function<void(Crew&, const Scan&)>;

  // `window_rows`: about how many rows may be collected at once, to save scans when levels are
  // narrow.
  KeptLevels(const Transitions& steps, const LevelTags& tags, Crew& crew, std::size_t window_rows,
             ScanTable scan_table)
      : steps_(steps),
        tags_(tags),
        crew_(crew),
        window_rows_(window_rows),
        scan_table_(std::move(scan_table)) {}

  void each_at_depth(std::uint64_t depth, const std::function<void(unsigned, State)>& visit);

 private:
  using Rows = std::vector<Word>;

  bool in_window(std::uint64_t depth) const {
    return depth >= first_level_ && depth - first_level_ < window_.size();
  }
  void fill_window(std::size_t interval, bool in_order);
  std::vector<Rows> collect(std::size_t first, std::size_t last);
  std::vector<Rows> tell_apart(std::size_t interval, const Rows& rows);
  std::vector<Rows> entered_from_before(std::size_t interval);

  const Transitions& steps_;
  const LevelTags& tags_;
  Crew& crew_;
  const std::size_t window_rows_;
  const ScanTable scan_table_;
  std::uint64_t first_level_ = 0;
  std::vector<Rows> window_;  // the states of consecutive levels, from first_level_ on
};

}  // namespace spillway
