#include "papers/cycles/cached_detection.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash/hash.h"

namespace spillway {
namespace {

// What goes to disk when H is full: at least one state.
std::uint64_t share_of(const DetectionSettings& settings) {
  return std::clamp<std::uint64_t>(
      static_cast<std::uint64_t>(static_cast<double>(settings.recent) * settings.rho), 1,
      settings.recent);
}

// Sorts records by their hashes.
void sort_records(Word* records, std::uint64_t count, std::size_t words) {
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t i = 0; i < count; ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return records[i * words]; });
  const std::vector<Word> copy(records, records + count * words);
  for (std::uint64_t i = 0; i < count; ++i)
    std::copy_n(copy.data() + order[i] * words, words, records + i * words);
}

}  // namespace

RecentStates::RecentStates(Budget& budget, std::size_t words, std::uint64_t capacity)
    : words_(words),
      capacity_(std::clamp<std::uint64_t>(capacity, 1, UINT32_MAX - 1)),
      pages_(Pages::need(budget, capacity_ * bytes_per_record(words))),
      rows_(reinterpret_cast<Word*>(pages_.data())),
      heads_(reinterpret_cast<Link*>(rows_ + capacity_ * words)),
      next_(heads_ + capacity_) {}

bool RecentStates::contains(const Word* record) const {
  for (Link at = head(record); at != 0; at = next_[at - 1])
    if (std::equal(record, record + words_, row(at - 1))) return true;
  return false;
}

void RecentStates::insert(const Word* record) {
  SPILLWAY_CHECK(!full());
  const std::uint64_t slot = (oldest_ + size_++) % capacity_;
  std::copy_n(record, words_, row(slot));
  Link& first = head(record);
  next_[slot] = first;
  first = static_cast<Link>(slot + 1);
}

// It is the last of its chain, for it was inserted first.
void RecentStates::take_oldest(Word* record) {
  SPILLWAY_CHECK(size_ > 0);
  std::copy_n(row(oldest_), words_, record);
  Link* link = &head(record);
  while (*link != oldest_ + 1) link = &next_[*link - 1];
  *link = 0;
  oldest_ = (oldest_ + 1) % capacity_;
  --size_;
}

CachedDetection::CachedDetection(Store& store, const DetectionSettings& settings)
    : words_(store.shape().words()),
      recent_(store.budget(), words_, settings.recent),
      moved_at_once_(share_of(settings)),
      // Sorting them takes the same again, and four bytes for each.
      moving_pages_(Pages::need(store.budget(), moved_at_once_ * (2 * words_ * sizeof(Word) + 4))),
      table_(store),
      record_(words_) {}

void CachedDetection::make_record(State state) {
  record_[0] = place_hash(state.data(), state.size());
  std::ranges::copy(state, record_.begin() + 1);
}

bool CachedDetection::is_known() {
  ++counts_.lookups;
  ++counts_.in_memory;
  if (recent_.contains(record_.data())) return true;
  if (table_.size() == 0) return false;
  --counts_.in_memory;
  return table_.contains(record_.data());
}

bool CachedDetection::contains(State state) {
  make_record(state);
  return is_known();
}

bool CachedDetection::insert(State state) {
  make_record(state);
  if (is_known()) return false;
  if (recent_.full()) move_oldest();
  recent_.insert(record_.data());
  ++size_;
  return true;
}

void CachedDetection::move_oldest() {
  auto* const moving = reinterpret_cast<Word*>(moving_pages_.data());
  for (std::uint64_t i = 0; i < moved_at_once_; ++i) recent_.take_oldest(moving + i * words_);
  sort_records(moving, moved_at_once_, words_);
  ++counts_.merges;
  counts_.moved += moved_at_once_;
  table_.insert(moving, moved_at_once_);
}

DetectionCounts CachedDetection::counts() const {
  DetectionCounts all = counts_;
  all.read_blocks = table_.read_blocks();
  all.written_blocks = table_.written_blocks();
  all.looked_up_blocks = table_.looked_up_blocks();
  return all;
}

}  // namespace spillway
