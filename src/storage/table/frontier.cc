#include "storage/table/frontier.h"

#include <algorithm>

namespace spillway {

void Frontier::reset(std::vector<RowPool::Segment> segments) {
  segments_ = std::move(segments);
  size_ = 0;
  waiting_ = std::make_unique<std::atomic<std::uint64_t>[]>(segments_.size());
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    waiting_[i].store(segments_[i].count, std::memory_order_relaxed);
    size_ += segments_[i].count;
  }
  segment_ = 0;
  offset_ = 0;
}

Frontier::Unit Frontier::next() {
  const std::lock_guard lock(mutex_);
  if (segment_ == segments_.size()) return {};
  const RowPool::Segment& segment = segments_[segment_];
  const std::uint64_t count = std::min<std::uint64_t>(unit_rows_, segment.count - offset_);
  const Unit unit{segment_, {segment.first + offset_, count}};
  offset_ += count;
  if (offset_ == segment.count) {
    ++segment_;
    offset_ = 0;
  }
  return unit;
}

void Frontier::done(const Unit& unit) {
  const std::uint64_t left =
      waiting_[unit.segment].fetch_sub(unit.rows.count, std::memory_order_acq_rel) -
      unit.rows.count;
  if (left == 0 && recycled_to_ != nullptr) recycled_to_->recycle(segments_[unit.segment]);
}

}  // namespace spillway
