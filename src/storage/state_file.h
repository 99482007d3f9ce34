// Rows on disk, in the order in which they were appended.
#pragma once

#include <limits>
#include <optional>

#include "base/error.h"
#include "storage/scan.h"
#include "storage/store.h"

namespace spillway {

class StateFile {
 public:
  static constexpr std::uint64_t kEnd = BlockReader::kEnd;

  // Nothing is on disk before the first block is full, and no buffer is drawn before the first append().
  explicit StateFile(Store& store, std::string_view purpose = "states");
  StateFile(const StateFile&) = delete;
  StateFile& operator=(const StateFile&) = delete;

  // REQUIRES: no scan is going on.
  void append(State row) {
    SPILLWAY_CHECK(scans_ == 0);
    if (!writer_ || writer_->left() < bytes_) [[unlikely]]
      make_room();
    auto* place = reinterpret_cast<Word*>(writer_->next());
    place[0] = row[0];
    for (std::size_t i = 1; i < words_; ++i) place[i] = row[i];
    writer_->added(bytes_, 1);
  }

  // The same for many rows, faster.
  void append(States rows);

  // Rows first, first+1, ... up to but not including last.  Several scans may go on at the same time.
  Scan scan(std::uint64_t first = 0, std::uint64_t last = kEnd);

  std::uint64_t size() const { return written_.rows + unwritten().size() - summed_; }
  bool empty() const { return size() == 0; }
  std::uint64_t disk_bytes() const { return file_.bytes(); }
  void clear();

  // Gives its buffers back to the budget until the next append(): for files that are many, and appended to one by one.
  void release();

  // All rows go to take(State), and the file is empty.
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
  std::uint64_t partial_ = 0;  // rows of the last block after release(), when it is not full
  RowSum written_;             // but for the rows in memory that have not been summed up
  std::size_t summed_ = 0;     // rows in memory that have
  int scans_ = 0;              // going on
};

inline void insert(StateFile& file, State state) { file.append(state); }  // for Partitioned

}  // namespace spillway
