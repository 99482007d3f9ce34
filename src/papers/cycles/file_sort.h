// Files of rows in order, for searches that detect duplicates later: sorting and merging them.
//
// The order is that of keys (base/state.h); notes are carried along.  Rows with the same key become
// one, and what becomes of their notes is the business of the search.  One thread.
//
// The engine sorts by packed runs on all threads (storage/runs).  Here blocks are plain, and those
// that are read and written are counted beside the bounds of the papers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/memory/pages.h"
#include "papers/storage/state_file.h"

namespace spillway {

// What becomes of the notes of rows with the same key.
enum class EqualKeys {
  greatest,  // the greatest note stays, in the order of rows; without notes, one row stays
  sum,       // notes of one word are added
};

// Several sorted files as one.
class MergedRows {
 public:
  // REQUIRES: nothing is appended to the files while it lives.
  MergedRows(const Store& store, const std::vector<StateFile*>& files, EqualKeys equal);

  // nullptr at the end.  Valid until the next call.
  const Word* next();
  // The row with this key, if there is one.  REQUIRES: keys do not decrease from call to call, and
  // next() is not used.
  const Word* find(const Word* key);

 private:
  struct Source {
    std::unique_ptr<Scan> scan;
    const Word* row;
  };
  const Shape shape_;
  const EqualKeys equal_;
  std::vector<Source> sources_;
  std::vector<Word> row_;
  const Word* found_ = nullptr;
  bool begun_ = false;
};

// True if the key of `a` comes before that of `b`; if they are the same; if the note of `a` is
// greater.
bool key_below(const Shape& shape, const Word* a, const Word* b);
bool key_same(const Shape& shape, const Word* a, const Word* b);
bool note_above(const Shape& shape, const Word* a, const Word* b);

// To be called when all rows of a file have been appended: returns its buffers to the budget,
// unless all of it is still in them.  So a file of less than a block never goes to disk.
inline void finish_writing(StateFile& file) {
  if (file.disk_bytes() != 0) file.release();
}

struct FileSortSettings {
  std::uint64_t rows = 1;  // in memory at a time
  std::size_t fan_in = 8;  // files that are merged at a time; at least 2
};

// Sorts any number of rows.
class FileSort {
 public:
  // Draws its memory from the budget at once.  Throws Error(usage) if it refuses.
  FileSort(Store& store, const FileSortSettings& settings, EqualKeys equal);

  void add(const Word* key, const Word* note = nullptr);
  // All that was added, in order.  The sort can be used again.
  std::unique_ptr<StateFile> sorted();
  // Forgets all that was added.
  void clear() {
    count_ = 0;
    runs_.clear();
  }

  // What a row takes.
  static std::uint64_t bytes_per_row(const Shape& shape) {
    return shape.bytes() + sizeof(std::uint32_t);
  }

 private:
  struct Run {
    std::unique_ptr<StateFile> file;
    unsigned merges;  // that it has gone through
  };
  void spill();
  void merge_last(std::size_t count);

  Store& store_;
  const Shape shape_;
  const FileSortSettings settings_;
  const EqualKeys equal_;
  Pages pages_;
  Word* rows_;
  std::uint32_t* order_;
  std::uint32_t count_ = 0;
  std::vector<Run> runs_;  // more merges first
};

// One file of all rows of sorted files.
std::unique_ptr<StateFile> merged(Store& store, const std::vector<StateFile*>& files,
                                  EqualKeys equal);

}  // namespace spillway
