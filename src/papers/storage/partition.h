// Assigns states to partitions, and splits a partition that has grown too large.
//
// Partitions are the leaves of a binary tree over the bits of a hash.  At first there are as many
// as requested, of about the same size; split(i) moves about half of partition i to a new one.
// Data kept by partition follows: see partitioned.h.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash/hash.h"
#include "base/hash/row_hash.h"
#include "base/state.h"

namespace spillway {

// Data that is kept by partition.
class Splittable {
 public:
  virtual ~Splittable() = default;
  // Partition i was split: moves what now belongs to the new partition `fresh`, whose number is the
  // previous count.
  virtual void split(std::size_t i, std::size_t fresh) = 0;
};

class Partition {
 public:
  // Partitions rows by their first `key` words.
  Partition(std::size_t key, std::size_t parts);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  std::size_t count() const { return count_; }
  std::size_t of(State state) const {
    // Not the hash that places rows in tables: that one must stay evenly spread inside a partition.
    const std::uint64_t h = row_hash(state.first(key_), HashUse::partition);
    std::size_t at = place_of(h, roots_);
    for (std::uint64_t bits = h; nodes_[at].children != 0; bits >>= 1)
      at = nodes_[at].children + (bits & 1);
    return nodes_[at].part;
  }

  // Throws Error(usage) if the hash has no more bits to split by.
  void split(std::size_t i);

  void join(Splittable& kept) { kept_.push_back(&kept); }
  void leave(Splittable& kept);

 private:
  struct Node {
    std::size_t children = 0;  // the first of two; 0: a leaf
    std::size_t part = 0;      // of a leaf
    unsigned depth = 0;
  };

  const std::size_t key_;
  const std::size_t roots_;
  std::size_t count_;
  std::vector<Node> nodes_;
  std::vector<Splittable*> kept_;
};

}  // namespace spillway
