#include "passes/recent_nodes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace spillway {
namespace {

constexpr std::size_t kAhead = 16;  // rows whose buckets are on their way

// The bytes of a word that are equal to a tag, as their highest bits.  Bytes after the first such
// one may be wrong.
std::uint64_t equal_bytes(std::uint64_t word, std::uint8_t tag) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  const std::uint64_t differ = word ^ kOnes * tag;
  return (differ - kOnes) & ~differ & kOnes << 7;
}

// Calls see(i) for places that may have this tag until it returns true.
template <class See>
void each_with_tag(const std::uint8_t* tags, std::uint8_t tag, See see) {
  std::uint64_t low = 0, high = 0;
  std::memcpy(&low, tags, 8);
  std::memcpy(&high, tags + 8, 4);
  for (std::uint64_t found = equal_bytes(low, tag); found != 0; found &= found - 1)
    if (see(static_cast<std::size_t>(std::countr_zero(found)) / 8)) return;
  for (std::uint64_t found = equal_bytes(high, tag) & 0xffffffffU; found != 0; found &= found - 1)
    if (see(8 + static_cast<std::size_t>(std::countr_zero(found)) / 8)) return;
}

}  // namespace

RecentNodes::RecentNodes(Budget& budget, std::size_t words, std::size_t rows, Node first)
    : words_(words),
      room_(std::clamp<std::size_t>(rows, kFewest, UINT32_MAX - 1)),
      buckets_(room_ / kUsual + 1),
      ring_(Pages::need(budget, room_ * words * sizeof(Word))),
      table_(Pages::need(budget, buckets_ * sizeof(Bucket))),
      end_(first) {}

std::size_t RecentNodes::rows_in(std::uint64_t bytes, std::size_t words) {
  return std::max<std::uint64_t>(kFewest,
                                 bytes / (words * sizeof(Word) + sizeof(Bucket) / kUsual + 1));
}

void RecentNodes::add(States rows) {
  std::uint64_t hashes[kAhead];
  for (std::size_t i = 0; i < rows.size() + kAhead; ++i) {
    if (i >= kAhead && i - kAhead < rows.size()) {
      std::copy_n(rows[i - kAhead].data(), words_,
                  reinterpret_cast<Word*>(ring_.data()) + next_ * words_);
      enter(hashes[i % kAhead], static_cast<std::uint32_t>(next_));
      ++next_;
      ++end_;
      filled_ = std::max(filled_, next_);
      if (next_ == room_) next_ = 0;
    }
    if (i < rows.size()) hashes[i % kAhead] = hash(rows[i].data());
  }
}

void RecentNodes::enter(std::uint64_t hash, std::uint32_t place) {
  Bucket& into = *bucket(hash);
  into.tags[into.oldest] = tag(hash);
  into.places[into.oldest] = place;
  into.oldest = into.oldest + 1 == kPlaces ? 0 : into.oldest + 1;
}

std::uint32_t RecentNodes::guess(std::uint64_t hash) const {
  const Bucket& in = *bucket(hash);
  std::uint32_t found = UINT32_MAX;
  each_with_tag(in.tags, tag(hash), [&](std::size_t i) {
    found = in.places[i];
    return true;
  });
  if (found < filled_) __builtin_prefetch(at(found));
  return found;
}

Node RecentNodes::find(const Word* row, std::uint64_t hash) const {
  const Bucket& in = *bucket(hash);
  Node found = kNone;
  each_with_tag(in.tags, tag(hash), [&](std::size_t i) {
    if (is_at(in.places[i], row)) found = node_at(in.places[i]);
    return found != kNone;
  });
  return found;
}

}  // namespace spillway
