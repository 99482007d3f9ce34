// A graph on disk or in memory that is read in passes: for each node its targets, packed.
//
// Nodes are numbers 0, 1, ..., in the order in which a search found them: by level, and by row in a
// level.  So most targets are near to those of the node before, and a pass from the last node down
// meets most targets before the node itself.
//
// A block has the targets of some consecutive nodes.  For each node: how many there are; if there
// are any, the difference of the least one to the least one of the node before that has any (to the
// first node of the block, for the first); and the gaps between them, minus one.  All are numbers
// of seven-bit groups, the difference with its sign in the lowest bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/claim.h"

namespace spillway {

using Rank = std::uint64_t;  // the number of a node

// The targets of consecutive nodes, unpacked.
class EdgeBlock {
 public:
  Rank first() const { return first_; }
  std::size_t size() const { return ends_.size(); }  // nodes
  // In increasing order, without repetition.
  std::span<const Rank> targets(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {targets_.data() + begin, ends_[i] - begin};
  }
  std::uint64_t edges() const { return targets_.size(); }

  void begin(Rank first);
  // The targets of the next node, in any order and with repetitions.
  void add(std::span<const Rank> targets);

 private:
  friend class Edges;
  Rank first_ = 0;
  std::vector<std::size_t> ends_;
  std::vector<Rank> targets_;
};

class Edges {
 public:
  // `block_nodes`: only tests change it.  REQUIRES: the budget outlives it.
  Edges(Budget& budget, std::uint64_t nodes, std::uint64_t block_nodes = 1024)
      : budget_(budget),
        nodes_(nodes),
        block_nodes_(block_nodes),
        blocks_((nodes + block_nodes - 1) / block_nodes) {}

  std::uint64_t nodes() const { return nodes_; }
  std::size_t blocks() const { return blocks_.size(); }
  std::size_t block_of(Rank node) const { return node / block_nodes_; }
  Rank begin(std::size_t block) const { return block * block_nodes_; }
  Rank end(std::size_t block) const;  // after its last node

  // Packs a block.  Any thread, each block once, before any is unpacked.  Throws Error(memory).
  void put(std::size_t block, const EdgeBlock& from);
  // Any thread.
  void unpack(std::size_t block, EdgeBlock& out) const;

  // REQUIRES: all blocks are there.
  std::uint64_t edges() const;
  std::uint64_t bytes() const;

 private:
  struct Packed {
    Claim claim;
    std::uint64_t edges = 0;
    std::vector<std::uint8_t> bytes;
  };

  Budget& budget_;
  const std::uint64_t nodes_, block_nodes_;
  std::vector<Packed> blocks_;
};

}  // namespace spillway
