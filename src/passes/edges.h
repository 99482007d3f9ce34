// A graph that is read in passes: for each node its targets, packed, and the acceptance sets of the
// edges to them.  It is in memory, and on disk where memory does not suffice.
//
// Nodes are numbers 0, 1, ..., in the order in which a search found them: by level, and by row in a
// level.  So most targets are near to those of the node before, and a pass from the last node down
// meets most targets before the node itself.
//
// A block has the targets of some consecutive nodes.  For each node: how many there are; if there
// are any, the difference of the least one to the least one of the node before that has any (to the
// first node of the block, for the first); and the gaps between them, minus one.  All are numbers
// of seven-bit groups, the difference with its sign in the lowest bit.
//
// Edges of a block are often in the same acceptance sets.  Then these are stored once.  Otherwise
// the targets are followed by a list of the different marks, and for each edge its place in the
// list, in as many bits as that takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/memory/claim.h"
#include "base/set_mask.h"
#include "storage/bits/bit_vector.h"
#include "storage/blocks/byte_file.h"

namespace spillway {

using Node = std::uint64_t;  // the number of a node

// The targets of consecutive nodes, unpacked.
class EdgeBlock {
 public:
  Node first() const { return first_; }
  std::size_t size() const { return ends_.size(); }  // nodes
  // In increasing order, without repetition.
  std::span<const Node> targets(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {targets_.data() + begin, ends_[i] - begin};
  }
  // Of each target, the sets that the edge is in.  REQUIRES: it was unpacked with marks.
  std::span<const SetMask> marks(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {marks_.data() + begin, ends_[i] - begin};
  }
  std::uint64_t edges() const { return targets_.size(); }

  void begin(Node first);
  // The targets of the next node, in any order and with repetitions.  Several edges to a target are
  // one edge in the sets of all of them: who goes round a cycle again and again can take them in
  // turn.
  void add(std::span<const Node> targets, std::span<const SetMask> marks);
  // The same, with one mark for all.
  void add(std::span<const Node> targets, SetMask mark = 0);
  // Becomes a copy of a block with the edges between nodes of a set, and with the marks if it has
  // them.
  void copy_within(const BitVector& set, const EdgeBlock& from);

 private:
  friend class Edges;
  Node first_ = 0;
  std::vector<std::size_t> ends_;
  std::vector<Node> targets_;
  std::vector<SetMask> marks_;                      // of each target
  std::vector<std::pair<Node, SetMask>> unsorted_;  // for add()
  std::optional<ByteFile::Reader> reader_;          // for blocks that are on disk
  std::vector<std::uint8_t> bytes_;
};

// The targets of consecutive nodes, as they are stored.
struct PackedEdges {
  std::uint64_t edges = 0;
  SetMask common = ~SetMask{0};  // the sets that all edges are in
  SetMask all = 0;               // and that some edge is in
  std::vector<std::uint8_t> bytes = {};
};

// Where blocks go that leave too little memory to others.
struct EdgeRoom {
  Disk* disk = nullptr;                // nullptr: all of them stay in memory
  std::uint64_t reserve_bytes = 0;     // of the budget, that they leave
  std::size_t block_bytes = 64 << 10;  // of the file
  // Of vectors of bits, one for each node.  Only tests change it.
  BitVector::Medium bits = BitVector::Medium::memory_if_there_is_room;
};

class Edges {
 public:
  // `block_nodes`: only tests change it.  REQUIRES: the budget and the disk outlive it, and an
  // EdgeBlock that it was unpacked to is not used with another graph.
  Edges(Budget& budget, std::uint64_t nodes, std::uint64_t block_nodes = 1024, EdgeRoom room = {})
      : budget_(budget), block_nodes_(block_nodes), room_(room) {
    extend(nodes);
  }
  // As many nodes as another graph has, without edges, and with the same room.
  static Edges like(const Edges& other) {
    return {other.budget_, other.nodes_, other.block_nodes_, other.room_};
  }

  // From now on there are so many nodes.  If the last block was not full, it has to be put again.
  // REQUIRES: not fewer than before, and no other call at the same time.
  void extend(std::uint64_t nodes);

  // A bit for each of so many nodes, where edges would go: on disk if there is one and memory does
  // not suffice.
  BitVector make_bits(Budget& budget, std::uint64_t nodes) const {
    return room_.disk == nullptr ? BitVector(budget, nodes)
                                 : BitVector(budget, nodes, *room_.disk, room_.bits);
  }
  const EdgeRoom& room() const { return room_; }
  // There are no nodes any more.  REQUIRES: no EdgeBlock that it was unpacked to is used again.
  void clear();

  std::uint64_t nodes() const { return nodes_; }
  std::size_t blocks() const { return blocks_.size(); }
  std::size_t block_of(Node node) const { return node / block_nodes_; }
  Node begin(std::size_t block) const { return block * block_nodes_; }
  Node end(std::size_t block) const;  // after its last node

  // Packs a block.  A block that is never put has no edges.  Any thread, for different blocks,
  // while none is unpacked.  Throws Error(memory) and errors of the disk.
  void put(std::size_t block, const EdgeBlock& from) { put(block, packed(block, from)); }
  // The same in two steps.
  PackedEdges packed(std::size_t block, const EdgeBlock& from) const;
  void put(std::size_t block, const PackedEdges& from);
  // The same for a block that somebody else has packed.  Throws Error(integrity) unless it can be
  // unpacked, with targets below `targets`.
  void put_checked(std::size_t block, const PackedEdges& from, Node targets);
  // To be called after the last put(), before blocks are unpacked.
  void settle() {
    if (spilled_->file) spilled_->file->settle();
  }
  // Any thread.
  void unpack(std::size_t block, EdgeBlock& out) const { unpack(block, out, false); }
  void unpack_with_marks(std::size_t block, EdgeBlock& out) const { unpack(block, out, true); }
  // The sets that all edges of a block are in, and that some edge is in.
  SetMask common_marks(std::size_t block) const { return blocks_[block].common; }
  SetMask all_marks(std::size_t block) const { return blocks_[block].all; }

  // Puts all blocks as they are, for a file.  REQUIRES: settled, and all of them are there.
  void save(const std::function<void(std::span<const std::uint8_t>)>& put) const;
  // Takes what save() has put.  Throws Error(integrity) unless it can be unpacked, with targets
  // below `targets`, and Error(memory), errors of the disk, and what get() throws.  REQUIRES: there
  // are no nodes yet.
  void load(const std::function<void(std::span<std::uint8_t>)>& get, Node targets);

  // REQUIRES: all blocks are there.
  std::uint64_t edges() const;
  std::uint64_t bytes() const;
  std::uint64_t disk_bytes() const { return spilled_->file ? spilled_->file->size() : 0; }

 private:
  struct Packed {
    Claim claim;
    std::uint64_t edges = 0;
    SetMask common = ~SetMask{0};
    SetMask all = 0;
    std::uint64_t size = 0;
    std::uint64_t at = 0;             // in the file, if it is there
    std::vector<std::uint8_t> bytes;  // otherwise
  };

  void unpack(std::size_t block, EdgeBlock& out, bool with_marks) const;
  bool can_be_unpacked(std::size_t block, const PackedEdges& from, Node targets) const;
  const std::uint8_t* bytes_of(const Packed& packed, EdgeBlock& out) const;
  ByteFile& file();

  Budget& budget_;
  std::uint64_t nodes_ = 0;
  const std::uint64_t block_nodes_;
  const EdgeRoom room_;
  struct Spilled {
    std::mutex mutex;  // guards the creation of the file
    std::optional<ByteFile> file;
  };
  std::unique_ptr<Spilled> spilled_ = std::make_unique<Spilled>();
  std::vector<Packed> blocks_;
};

}  // namespace spillway
