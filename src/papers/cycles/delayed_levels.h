// Levels of a breadth-first search on disk whose duplicates are detected after each level.
//
// What has been met is sorted files of similar sizes, merged when there are many.  What is added
// during a level is sorted at its end and compared with all of them in one pass.  A row whose key
// was met before is met again if its note is greater than all it had, as values that are propagated
// need it.  One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "papers/cycles/file_sort.h"

namespace spillway {

struct DelayedSettings {
  FileSortSettings sort = {};
  std::size_t most_runs = 8;  // files of what has been met, at least 2
};

class DelayedLevels {
 public:
  // `within`: a sorted file; only keys that it has count.  nullptr: all do.  `keeps_levels`: they
  // can be read again.  REQUIRES: `sort` is of this store, empty, and used by nobody else
  // meanwhile; all outlive it.
  DelayedLevels(Store& store, FileSort& sort, const DelayedSettings& settings,
                StateFile* within = nullptr, bool keeps_levels = false);

  // To the level after the current one.
  void add(const Word* key, const Word* note = nullptr) { sort_.add(key, note); }
  // Makes that level the current one; nullptr if it is empty.  In order of keys.
  StateFile* next_level();

  std::uint64_t levels() const { return ends_.size(); }
  std::uint64_t size() const { return met_; }  // of all levels
  bool has(State key);                         // it has been met
  // All that was met, each key once.  Nothing can be added afterwards.
  std::unique_ptr<StateFile> take();
  // A level again, from 0 on.  REQUIRES: levels are kept.
  Scan level(std::uint64_t number) {
    return log_->scan(number == 0 ? 0 : ends_[number - 1], ends_[number]);
  }

 private:
  std::vector<StateFile*> files() const;
  void merge_runs();

  Store& store_;
  FileSort& sort_;
  const DelayedSettings settings_;
  StateFile* const within_;
  std::vector<std::unique_ptr<StateFile>> runs_;  // the current level is the last
  std::unique_ptr<StateFile> log_;
  std::vector<std::uint64_t> ends_;  // rows up to the end of each level
  std::uint64_t met_ = 0;
};

}  // namespace spillway
