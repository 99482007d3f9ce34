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

void add_counts(const HashSortedTable& table, DetectionCounts& counts) {
  counts.read_blocks += table.read_blocks();
  counts.written_blocks += table.written_blocks();
  counts.looked_up_blocks += table.looked_up_blocks();
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
    : store_(store),
      settings_(settings),
      words_(store.shape().words()),
      recent_(store.budget(), words_, settings.recent),
      moved_at_once_(share_of(settings)),
      // Sorting them takes the same again, and four bytes for each.
      moving_pages_(Pages::need(store.budget(), moved_at_once_ * (2 * words_ * sizeof(Word) + 4))),
      record_(words_) {
  if (settings.filter_bytes != 0)
    filter_.emplace(store.budget(), settings.filter_bytes, settings.filter_bytes);
}

void CachedDetection::make_record(State state) {
  record_[0] = place_hash(state.data(), state.size());
  std::ranges::copy(state, record_.begin() + 1);
}

bool CachedDetection::is_known() {
  ++counts_.lookups;
  ++counts_.in_memory;
  if (recent_.contains(record_.data())) return true;
  if (tables_.empty() || (filter_ && !filter_->may_contain(record_[0]))) return false;
  --counts_.in_memory;
  return std::ranges::any_of(tables_,
                             [this](auto& table) { return table->contains(record_.data()); });
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
  if (filter_) filter_->add(record_[0]);
  ++size_;
  return true;
}

void CachedDetection::move_oldest() {
  auto* const moving = reinterpret_cast<Word*>(moving_pages_.data());
  for (std::uint64_t i = 0; i < moved_at_once_; ++i) recent_.take_oldest(moving + i * words_);
  sort_records(moving, moved_at_once_, words_);
  ++counts_.merges;
  counts_.moved += moved_at_once_;
  if (tables_.empty() || settings_.tiered)
    tables_.push_back(std::make_unique<HashSortedTable>(store_));
  tables_.back()->insert(moving, moved_at_once_);
  if (settings_.tiered) add_table();
}

// Merges the last tables as long as there are enough of similar size.
void CachedDetection::add_table() {
  for (;;) {
    const std::uint64_t similar = tables_.back()->size() * 2;
    std::size_t count = 0;
    while (count < tables_.size() && tables_[tables_.size() - 1 - count]->size() < similar) ++count;
    if (count < settings_.fan_in) return;
    merge_tables(count);
  }
}

void CachedDetection::merge_tables(std::size_t count) {
  const auto first = tables_.end() - static_cast<std::ptrdiff_t>(count);
  auto all = std::make_unique<HashSortedTable>(store_);
  std::vector<std::uint64_t> at(count);
  for (;;) {
    const Word* least = nullptr;
    std::size_t of = 0;
    for (std::size_t i = 0; i < count; ++i) {
      HashSortedTable& table = **(first + static_cast<std::ptrdiff_t>(i));
      if (at[i] == table.size()) continue;
      const Word* const record = table.record(at[i]);
      if (least != nullptr && least[0] <= record[0]) continue;
      least = record;
      of = i;
    }
    if (least == nullptr) break;
    all->append(least);
    ++at[of];
  }
  all->finish_appending();
  for (auto table = first; table != tables_.end(); ++table) add_counts(**table, counts_);
  tables_.erase(first, tables_.end());
  tables_.push_back(std::move(all));
}

DetectionCounts CachedDetection::counts() const {
  DetectionCounts all = counts_;
  for (const auto& table : tables_) add_counts(*table, all);
  return all;
}

}  // namespace spillway
