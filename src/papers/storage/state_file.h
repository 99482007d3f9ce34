// Rows on disk, in the order in which they were appended.
#pragma once

#include <limits>
#include <optional>

#include "base/error.h"
#include "papers/storage/scan.h"
#include "papers/storage/store.h"

namespace spillway {

class StateFile {
 public:
  static constexpr std::uint64_t kEnd = BlockReader::kEnd;

  // No data is written before the first block is full, and no buffer is drawn before the first
  // append().
  explicit StateFile(Store& store, std::string_view purpose = "states");
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  // REQUIRES: no scan is active.
  void append(State row) {
    SPILLWAY_CHECK(scans_ == 0);
    if (!writer_ || writer_->left() < bytes_) [[unlikely]]
      make_room();
    auto* place = reinterpret_cast<Word*>(writer_->next());
    place[0] = row[0];
    for (std::size_t i = 1; i < words_; ++i) place[i] = row[i];
    writer_->added(bytes_, 1);
  }

  // Same for many rows, which is faster.
  void append(States rows);

  // Rows first, first+1, ... up to but not including `last`.  Several scans may be active at a
  // time.
  Scan scan(std::uint64_t first = 0, std::uint64_t last = kEnd);

  std::uint64_t size() const { return written_.rows + unwritten().size() - summed_; }
  bool empty() const { return size() == 0; }
  std::uint64_t disk_bytes() const { return file_.bytes(); }
  void clear();

  // Returns the buffers to the budget until the next append().  For many files that are appended to
  // one at a time.  REQUIRES: no scan is active.
  void release();

  // Passes all rows to take(State) and clears the file.
  template <class Take>
  void drain(Take take) {
    for (const State row : scan()) take(row);
    clear();
  }

 private:
  void open();
  void make_room();
  void sum_up();
  States unwritten() const;

  Store& store_;
  const std::size_t words_;
  const std::size_t bytes_;  // of a row
  BlockFile file_;
  std::optional<BlockWriter> writer_;
  std::uint64_t partial_ = 0;  // rows of the last block, if release() wrote it before it was full
  RowSum written_;             // without the rows in memory that are not summed up yet
  std::size_t summed_ = 0;     // rows in memory that are
  int scans_ = 0;              // active
};

inline void insert(StateFile& file, State state) { file.append(state); }  // for Partitioned

}  // namespace spillway
