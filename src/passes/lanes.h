// A few bits for each node of a graph, in memory, drawn from the budget.
#pragma once

#include <cstdint>
#include <utility>

#include "base/memory/pages.h"
#include "passes/edges.h"

namespace spillway {

class Lanes {
 public:
  // What is cleared or added at once has so many nodes.
  static constexpr std::uint64_t kChunkNodes = 4096;

  // All bits are zero.  Throws Error(usage) if the budget refuses.  REQUIRES: `width` bits a node
  // are a power of two, at most 64.
  Lanes(Budget& budget, std::uint64_t nodes, unsigned width);
  // The memory that it takes.
  static std::uint64_t bytes(std::uint64_t nodes, unsigned width);

  std::uint64_t get(Node node) const {
    return words()[node * width_ / 64] >> node * width_ % 64 & all_;
  }
  void add(Node node, std::uint64_t bits) {
    words()[node * width_ / 64] |= bits << node * width_ % 64;
  }
  // For any number of threads, if all of them use this only.
  void add_shared(Node node, std::uint64_t bits);
  // The first node from `from` to before `end` with a bit, or `end`.
  Node next(Node from, Node end) const;

  void clear_chunk(std::uint64_t chunk);
  void add_chunk(const Lanes& other, std::uint64_t chunk);  // the bits of `other`

 private:
  std::uint64_t* words() const { return reinterpret_cast<std::uint64_t*>(pages_.data()); }
  std::uint64_t chunk_words() const { return kChunkNodes * width_ / 64; }

  unsigned width_;
  std::uint64_t all_;  // bits of a node
  Pages pages_;
};

}  // namespace spillway
