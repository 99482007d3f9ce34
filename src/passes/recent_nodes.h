// The nodes that were numbered last, with their rows, and the number of a row among them.
//
// Idea.  Most steps of a search by levels lead to states of the next level or of the last few ones.
// While these are in memory, a step needs no sort to find the number of its target.
//
// Rows are in a ring, in the order of their numbers, so a place in it says the number.  A bucket of
// one cache line has some places and eight bits of the hash of each.  A full bucket forgets its
// oldest place; the row is not found then, although it is there.  A place whose row was overwritten
// is left where it is: rows are always compared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash/hash.h"
#include "base/memory/pages.h"
#include "base/state.h"
#include "passes/edges.h"

namespace spillway {

class RecentNodes {
 public:
  static constexpr Node kNone = ~Node{0};
  static constexpr std::size_t kFewest = 64;  // rows that there is always room for

  // Room for `rows` rows, the first of which gets the number `first`.  Throws Error(usage) if the
  // budget refuses.
  RecentNodes(Budget& budget, std::size_t words, std::size_t rows, Node first);
  // How many rows fit into so many bytes, kFewest at least.
  static std::size_t rows_in(std::uint64_t bytes, std::size_t words);

  std::size_t room() const { return room_; }
  Node end() const { return end_; }  // the next number
  // The oldest one that is known.
  Node begin() const { return end_ - filled_; }
  // REQUIRES: begin() <= node < end().  Valid until it is forgotten.
  State row(Node node) const {
    const std::size_t back = end_ - node;
    return {at(back <= next_ ? next_ - back : next_ + room_ - back), words_};
  }
  // They get the next numbers.  The oldest ones are forgotten.  REQUIRES: no more than there is
  // room for.
  void add(States rows);

  // Looking up, in steps, so that memory is waited for only once for many rows.  Any thread, while
  // none adds rows.
  std::uint64_t hash(const Word* row) const {
    const std::uint64_t hash = place_hash(row, words_);
    __builtin_prefetch(bucket(hash));
    return hash;
  }
  // A place where the row with this hash may be.
  std::uint32_t guess(std::uint64_t hash) const;
  // kNone if it is not known.
  Node find(const Word* row, std::uint64_t hash, std::uint32_t guess) const {
    if (is_at(guess, row)) return node_at(guess);
    return find(row, hash);
  }

 private:
  static constexpr std::size_t kPlaces = 12;
  static constexpr std::size_t kUsual = 7;  // places of a bucket in use
  struct alignas(64) Bucket {
    std::uint8_t tags[kPlaces];
    std::uint32_t oldest;
    std::uint32_t places[kPlaces];
  };
  static_assert(sizeof(Bucket) == 64);

  Node find(const Word* row, std::uint64_t hash) const;
  void enter(std::uint64_t hash, std::uint32_t place);
  const Word* at(std::size_t place) const {
    return reinterpret_cast<const Word*>(ring_.data()) + place * words_;
  }
  bool is_at(std::size_t place, const Word* row) const {
    return place < filled_ && equal({at(place), words_}, {row, words_});
  }
  Node node_at(std::size_t place) const {
    return place < next_ ? end_ - next_ + place : end_ - next_ - room_ + place;
  }
  Bucket* bucket(std::uint64_t hash) const {
    return reinterpret_cast<Bucket*>(table_.data()) + place_of(hash, buckets_);
  }
  static std::uint8_t tag(std::uint64_t hash) { return static_cast<std::uint8_t>(hash); }

  const std::size_t words_;
  const std::size_t room_;
  const std::size_t buckets_;
  Pages ring_, table_;
  Node end_;
  std::size_t next_ = 0;  // place of the next row
  std::size_t filled_ = 0;
};

}  // namespace spillway
