// The states of one level, dealt out to threads in small units.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "storage/table/row_pool.h"

namespace spillway {

class Frontier {
 public:
  struct Unit {
    std::size_t segment = 0;
    RowPool::Segment rows{0, 0};
  };

  // `recycled_to`: where a chunk goes as soon as all its units are done; nullptr: it stays.
  Frontier(RowPool* recycled_to, std::size_t unit_rows)
      : recycled_to_(recycled_to), unit_rows_(unit_rows) {}

  // The states of the level.  REQUIRES: no units are out.
  void reset(std::vector<RowPool::Segment> segments);
  std::uint64_t size() const { return size_; }
  const std::vector<RowPool::Segment>& segments() const { return segments_; }

  // Any thread ------------------------------------------------------------------------------------
  // The next unit; one without rows when there is none.
  Unit next();
  void done(const Unit& unit);

 private:
  RowPool* const recycled_to_;
  const std::size_t unit_rows_;
  std::vector<RowPool::Segment> segments_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> waiting_;  // rows of each segment that are not done
  std::uint64_t size_ = 0;
  std::mutex mutex_;
  std::size_t segment_ = 0;   // of the next unit
  std::uint64_t offset_ = 0;  // in it
};

}  // namespace spillway
