// Breadth-first search from several groups of nodes at once, by passes over the edges.
//
// Idea.  A way has come to a node, belongs to a group, and has met some of the acceptance sets.
// Each combination of group and sets is a lane: one bit of the node.  An edge moves all lanes of a
// node by a few operations on a word.  Nodes that ways came to in the last step are expanded in
// the next one; blocks without such nodes are not unpacked.
//
// Source.  Bit-parallel search from several sources (Then et al. 2014), with lanes for sets.
//
// Cost.  Three times the lanes in bits for each node; memory is touched only where ways lead.
//
// All threads work on one step.  What is met does not depend on their number.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/process/crew.h"
#include "base/set_mask.h"
#include "passes/edges.h"
#include "passes/lanes.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

// Sets that ways are to meet, few enough to tell all combinations of them apart.
class MetSets {
 public:
  static constexpr int kMost = 6;

  // REQUIRES: at most kMost sets.
  explicit MetSets(SetMask told_apart);

  unsigned combinations() const { return 1U << sets_.size(); }
  // The number of a combination, from 0 (none) to combinations() - 1 (all).
  unsigned of(SetMask mark) const;
  // Where lanes of a group are, bit by bit one for each combination, after an edge with `met`.
  std::uint64_t moved(std::uint64_t lanes, unsigned met) const;

 private:
  std::vector<int> sets_;
};

class LaneSearch {
 public:
  struct Ground {
    const Edges& edges;
    const BitVector& among;  // nodes that ways may lead through
    std::uint64_t nodes;     // all of `among` are below this one
  };
  // `groups`: a power of two; with `sets`, at most 64 lanes.  `poll` is called by the calling
  // thread and may throw.  REQUIRES: all outlive it.  Throws Error(usage) if the budget refuses.
  LaneSearch(const Ground& ground, const MetSets& sets, unsigned groups, Budget& budget, Crew& crew,
             const std::function<void()>& poll);
  // The memory that it takes.
  static std::uint64_t bytes(std::uint64_t nodes, const MetSets& sets, unsigned groups) {
    return 3 * Lanes::bytes(nodes, sets.combinations() * groups);
  }

  unsigned groups() const { return groups_; }

  // Forgets all ways.
  void clear();
  // Ways of the group begin at this node, too.  It has not been met by that.
  void begin_at(Node node, unsigned group);
  // One more step of all ways, to nodes from `floor` on.  False if no way leads anywhere new.
  bool step(Node floor);

  // Whether a way of the group came to the node, with all sets, in the last step; or in any.
  bool came(Node node, unsigned group) const { return (last_.get(node) & closing(group)) != 0; }
  bool has_come(Node node, unsigned group) const { return (met_.get(node) & closing(group)) != 0; }
  // Calls visit(node, lanes) for what the last step came to, in increasing order.
  void each_of_last(const std::function<void(Node, std::uint64_t)>& visit) const;

 private:
  using Flags = std::vector<std::atomic<bool>>;  // of chunks

  std::uint64_t closing(unsigned group) const {
    return std::uint64_t{1} << (group * sets_.combinations() + sets_.combinations() - 1);
  }
  static std::uint64_t chunk(Node node) { return node / Lanes::kChunkNodes; }
  bool is_active(std::size_t block) const;
  void expand_blocks(unsigned worker, Node floor);
  void expand(std::size_t block, EdgeBlock& unpacked, Node floor);
  void settle_chunks();
  void in_parallel(const std::function<void(unsigned)>& work);

  const Ground ground_;
  const MetSets& sets_;
  const unsigned groups_;
  Crew& crew_;
  const std::function<void()>& poll_;
  Lanes met_, last_, next_;
  Flags touched_, active_, reached_;  // chunks with bits in met_, last_, next_
  std::vector<EdgeBlock> blocks_;     // of each thread
  std::size_t active_chunks_ = 0;
  std::atomic<std::size_t> taken_{0};
  std::atomic<bool> abandoned_{false};
};

}  // namespace spillway
