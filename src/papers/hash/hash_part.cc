#include "papers/hash/hash_part.h"

#include <algorithm>
#include <numeric>

namespace spillway {
namespace {

std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
}

}  // namespace

// x^2 (1 + x) / 2 of the buckets lie below x, and a 256th of them is spread evenly, so that none at
// the beginning is too large.
std::uint32_t HashPart::bucket(std::uint64_t within) const {
  const std::uint64_t square = high_product(within, within);
  const std::uint64_t curve = square / 2 + high_product(square, within) / 2;
  return static_cast<std::uint32_t>(place_of(curve - curve / 256 + within / 256, buckets()));
}

std::uint64_t HashPartBuilder::most_bytes() {
  const std::uint64_t keys = HashPart::kMostKeys;
  return keys * (8 + 8 + 4) + keys * 10 / 33 * (4 + 4 + 4 + 1) + keys / 8 + (4 << 10);
}

void HashPartBuilder::clear() {
  withins_.clear();
  key_slots_.clear();
}

bool HashPartBuilder::build() {
  if (keys() > HashPart::kMostKeys) return false;
  part_ = {static_cast<std::uint32_t>(keys()), 0};
  cut_into_buckets();
  order_buckets();
  constexpr std::uint8_t kAttempts = 12;
  while (!try_to_build())
    if (++part_.attempt == kAttempts) return false;
  send_last_slots();
  return true;
}

void HashPartBuilder::cut_into_buckets() {
  starts_.assign(part_.buckets() + 1, 0);
  for (const std::uint64_t within : withins_) ++starts_[part_.bucket(within) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
}

void HashPartBuilder::order_buckets() {
  order_.resize(part_.buckets());
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::stable_sort(order_, {}, [this](std::uint32_t bucket) { return size(bucket); });
}

bool HashPartBuilder::try_to_build() {
  pilots_.assign(part_.buckets(), 0);
  slots_ = part_.slots();
  taken_.assign(slots_, kFree);
  bits_.assign(slots_ / 64 + 1, 0);
  std::ranges::fill(recent_, kFree);
  evicted_.clear();
  placed_ = 0;
  const std::uint64_t most = 20 * std::uint64_t{part_.buckets()} + 1000;
  for (std::size_t left = order_.size(); left > 0;) {
    const std::uint32_t bucket = order_[--left];
    if (size(bucket) == 0) return true;  // and so are those before it
    if (!place(bucket)) return false;
    while (!evicted_.empty()) {
      const std::uint32_t next = evicted_.back();
      evicted_.pop_back();
      if (placed_ > most || !place(next)) return false;
    }
  }
  return true;
}

bool HashPartBuilder::place(std::uint32_t bucket) {
  // Not always the same one, otherwise two may evict each other.
  const auto first = static_cast<unsigned>(scatter(placed_));
  for (unsigned i = 0; i < 256; ++i) {
    const auto pilot = static_cast<std::uint8_t>(first + i);
    if (!are_free(bucket, pilot) || !find_slots(bucket, pilot)) continue;
    take_slots(bucket, pilot);
    return true;
  }
  std::uint64_t least = UINT64_MAX;
  std::uint8_t best = 0;
  for (unsigned i = 0; i < 256; ++i) {
    const auto pilot = static_cast<std::uint8_t>(first + i);
    if (!find_slots(bucket, pilot)) continue;
    if (const std::uint64_t cost = cost_of_slots(); cost < least) {
      least = cost;
      best = pilot;
    }
  }
  if (least == UINT64_MAX) return false;
  find_slots(bucket, best);
  take_slots(bucket, best);
  return true;
}

bool HashPartBuilder::are_free(std::uint32_t bucket, std::uint8_t pilot) const {
  const std::uint64_t way = part_.way(pilot);
  for (const std::uint64_t key : keys_of(bucket)) {
    const std::uint32_t slot = HashPart::slot(key, way, slots_);
    if ((bits_[slot / 64] >> slot % 64 & 1) != 0) return false;
  }
  return true;
}

// False if two keys of the bucket have the same one.
bool HashPartBuilder::find_slots(std::uint32_t bucket, std::uint8_t pilot) {
  found_.clear();
  const std::uint64_t way = part_.way(pilot);
  for (const std::uint64_t key : keys_of(bucket)) {
    const std::uint32_t slot = HashPart::slot(key, way, slots_);
    if (std::ranges::find(found_, slot) != found_.end()) return false;
    found_.push_back(slot);
  }
  return true;
}

// Of the buckets that have them: large ones are hard to place again.
std::uint64_t HashPartBuilder::cost_of_slots() const {
  std::uint64_t cost = 0;
  for (const std::uint32_t slot : found_) {
    const std::uint32_t bucket = taken_[slot];
    if (bucket == kFree) continue;
    if (is_recent(bucket)) return UINT64_MAX;
    cost += std::uint64_t{size(bucket)} * size(bucket);
  }
  return cost;
}

// Without this rule a few buckets evict each other for ever.
bool HashPartBuilder::is_recent(std::uint32_t bucket) const {
  return std::ranges::find(recent_, bucket) != std::end(recent_);
}

void HashPartBuilder::take_slots(std::uint32_t bucket, std::uint8_t pilot) {
  const std::vector<std::uint32_t> mine = found_;
  for (const std::uint32_t slot : mine) {
    if (taken_[slot] != kFree) evict(taken_[slot]);
    taken_[slot] = bucket;
    bits_[slot / 64] |= std::uint64_t{1} << slot % 64;
  }
  pilots_[bucket] = pilot;
  recent_[placed_++ % std::size(recent_)] = bucket;
}

void HashPartBuilder::evict(std::uint32_t bucket) {
  find_slots(bucket, pilots_[bucket]);
  for (const std::uint32_t slot : found_) {
    if (taken_[slot] != bucket) continue;  // the one that evicts it has this one already
    taken_[slot] = kFree;
    bits_[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
  }
  evicted_.push_back(bucket);
}

void HashPartBuilder::send_last_slots() {
  sent_.assign(part_.slots() - part_.keys, 0);
  std::uint32_t free = 0;
  for (std::uint32_t slot = part_.keys; slot < part_.slots(); ++slot) {
    if (taken_[slot] == kFree) continue;
    while (taken_[free] != kFree) ++free;
    sent_[slot - part_.keys] = static_cast<std::uint16_t>(free++);
  }
}

std::uint32_t HashPartBuilder::number(std::size_t key) const {
  const std::uint32_t slot = part_.slot(key_slots_[key], pilots_[part_.bucket(withins_[key])]);
  return slot < part_.keys ? slot : sent_[slot - part_.keys];
}

}  // namespace spillway
