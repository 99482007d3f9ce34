// The rows of a StateFile in order, as a single-pass range.
#pragma once

#include <cstdint>
#include <iterator>
#include <string>

#include "papers/storage/row_sum.h"
#include "papers/storage/store.h"
#include "storage/blocks/block_reader.h"

namespace spillway {

class Scan {
 public:
  class Iterator {
   public:
    Iterator(Scan& scan) : scan_(scan) { ++*this; }
    State operator*() const { return {row_, scan_.words_}; }
    Iterator& operator++() {
      row_ = scan_.next();
      return *this;
    }
    bool operator!=(std::default_sentinel_t) const { return row_ != nullptr; }

   private:
    Scan& scan_;
    const Word* row_ = nullptr;
  };

  ~Scan() { --scans_; }
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  // A row is valid until the next one.  Throws Error; also Error(integrity) at the end of a scan of
  // the entire file if the rows are not those that were written.
  Iterator begin() { return *this; }
  std::default_sentinel_t end() const { return {}; }

  // The next row without a for-loop; nullptr at the end.
  const Word* next() {
    if (row_ == end_ && !refill()) return nullptr;
    const Word* row = row_;
    row_ += words_;
    return row;
  }
  // Same for as many rows as are contiguous, which is faster; empty at the end.
  States next_rows() {
    if (row_ == end_ && !refill()) return {};
    const States rows(row_, static_cast<std::size_t>(end_ - row_) / words_, words_);
    row_ = end_;
    return rows;
  }

 private:
  friend class StateFile;

  // REQUIRES: first <= last <= written.rows.
  Scan(Store& store, const BlockFile& file, const std::string& name, States unwritten,
       RowSum written, int& scans, std::uint64_t first, std::uint64_t last);
  bool refill();
  void show(const Word* rows, std::uint64_t count);
  void check_whole() const;

  const std::size_t words_;
  const std::string& name_;
  const States unwritten_;
  const RowSum written_;  // the entire file
  const bool whole_;      // the scan covers the entire file
  int& scans_;
  std::uint64_t skip_;  // rows before the first
  std::uint64_t left_;  // rows still to be shown
  BlockReader reader_;
  bool on_disk_ = true;  // rows still come from disk
  RowSum read_;
  const Word* row_ = nullptr;
  const Word* end_ = nullptr;
};

}  // namespace spillway
