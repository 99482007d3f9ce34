// A part of a perfect hash: so many keys, and a pilot for each bucket of them.
//
// Idea.  Keys are spread over buckets, a few large ones and many small ones.  A pilot is a byte
// that chooses among 256 ways to send the keys of a bucket to slots.  Buckets are placed one after
// the other, large ones first, each with a pilot whose slots are all free.  Where there is none,
// the bucket takes the slots of others, as few and as small as possible, and those are placed
// again. There are a few more slots than keys; keys in slots after the last key are sent to those
// that stayed free.
//
// Source.  Groot Koerkamp: PtrHash, 2025; pilots after Fox et al. 1992 and Pibiri and Trani 2021.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "papers/hash/hash_key.h"

namespace spillway {

class HashPart {
 public:
  static constexpr std::uint32_t kMostKeys = 60'000;  // so that slots are numbers of 16 bits

  std::uint32_t keys = 0;
  std::uint8_t attempt = 0;  // the one that succeeded

  std::uint32_t buckets() const { return keys * 10 / 33 + 1; }  // 3.3 keys in each
  std::uint32_t slots() const { return keys + keys * (1U + attempt) / 100 + 2 + attempt; }
  // Pilots, room to make their number even, and where slots after the last key are sent.
  std::uint64_t first_sent() const { return (std::uint64_t{buckets()} + 1) / 2 * 2; }
  std::uint64_t bytes() const { return first_sent() + 2 * std::uint64_t{slots() - keys}; }

  std::uint32_t bucket(std::uint64_t within) const;
  // The way of a pilot, and where it sends a key.
  std::uint64_t way(std::uint8_t pilot) const {
    return scatter(std::uint64_t{attempt} * 256 + pilot + 1);
  }
  static std::uint32_t slot(std::uint64_t key_slot, std::uint64_t way, std::uint32_t slots) {
    return static_cast<std::uint32_t>(place_of(scatter(key_slot ^ way), slots));
  }
  std::uint32_t slot(std::uint64_t key_slot, std::uint8_t pilot) const {
    return slot(key_slot, way(pilot), slots());
  }
};

// Finds the pilots of a part.
class HashPartBuilder {
 public:
  // What it takes for a part of kMostKeys keys.
  static std::uint64_t most_bytes();

  // The keys of a part, in the order of their places.
  void add(std::uint64_t within, std::uint64_t key_slot) {
    withins_.push_back(within);
    key_slots_.push_back(key_slot);
  }
  std::size_t keys() const { return key_slots_.size(); }
  void clear();

  // False if there are none: two keys are the same, or there are too many keys.
  bool build();
  // Afterwards -----------------------------------------------------------------------------------
  const HashPart& part() const { return part_; }
  const std::vector<std::uint8_t>& pilots() const { return pilots_; }
  // The number below keys() for each slot after the last key that is taken.
  const std::vector<std::uint16_t>& sent() const { return sent_; }
  std::uint32_t number(std::size_t key) const;  // of the key that was added as number `key`
  std::uint16_t value(std::size_t key) const { return value_of(key_slots_[key]); }

  // To tell keys apart that have the same number, if only one is a member.
  static std::uint16_t value_of(std::uint64_t key_slot) {
    return static_cast<std::uint16_t>(scatter(~key_slot));
  }

 private:
  static constexpr std::uint32_t kFree = UINT32_MAX;

  bool try_to_build();
  void cut_into_buckets();
  void order_buckets();
  bool place(std::uint32_t bucket);
  bool find_slots(std::uint32_t bucket, std::uint8_t pilot);
  bool are_free(std::uint32_t bucket, std::uint8_t pilot) const;
  std::uint64_t cost_of_slots() const;
  void take_slots(std::uint32_t bucket, std::uint8_t pilot);
  void evict(std::uint32_t bucket);
  bool is_recent(std::uint32_t bucket) const;
  std::span<const std::uint64_t> keys_of(std::uint32_t bucket) const {
    return std::span(key_slots_).subspan(starts_[bucket], size(bucket));
  }
  void send_last_slots();
  std::uint32_t size(std::uint32_t bucket) const { return starts_[bucket + 1] - starts_[bucket]; }

  HashPart part_;
  std::uint32_t slots_ = 0;
  std::vector<std::uint64_t> withins_, key_slots_;
  std::vector<std::uint32_t> starts_;   // of buckets, in the keys; and the end
  std::vector<std::uint32_t> order_;    // buckets, small ones first
  std::vector<std::uint32_t> evicted_;  // to be placed again
  std::vector<std::uint32_t> taken_;    // by which bucket, of each slot
  std::vector<std::uint64_t> bits_;     // whether it is
  std::vector<std::uint8_t> pilots_;
  std::vector<std::uint16_t> sent_;
  std::vector<std::uint32_t> found_;  // slots of the bucket that is being placed
  std::uint32_t recent_[16] = {};     // buckets that were placed last
  std::uint64_t placed_ = 0;          // in this attempt
};

}  // namespace spillway
