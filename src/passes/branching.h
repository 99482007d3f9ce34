// The operators of branching time over a graph: next, until, and always on some path.
//
// Idea.  Each is a fixed point that is computed in place, in passes over the edges from the last
// node down, because most targets have larger numbers.
//
//   EX a      one pass: the nodes with a target in a
//   E a U b   Y := b;  repeat: v in a - Y with a target in Y joins Y;  until none joins
//   EG a      trim (passes/trim.h): remove from a nodes without a target in it
//
// Source.  Textbook fixed points.  That descending passes are best was measured:
// docs/design/ltl.md.
//
// Cost.  No memory beside the sets for passes.  There may be as many passes as a path has edges to
// lower nodes.  After `most_passes`, the edges that are left are reversed in memory, and a worklist
// ends it in one go: 4 bytes for each of them, and 16 for each node.  If the budget refuses,
// further passes do it.
//
// All threads work on one pass, each on a block at a time.  The result is the same for any number
// of threads.
#pragma once

#include <cstdint>
#include <functional>

#include "base/process/crew.h"
#include "passes/edges.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

struct BranchingCounts {
  std::uint64_t passes = 0;
  std::uint64_t worklists = 0;
};

struct BranchingSettings {
  std::uint64_t most_passes = 24;  // then a worklist is cheaper than further passes
  std::function<void()> poll = [] {};
};

// All sets have a bit for each node.
class Branching {
 public:
  // REQUIRES: all outlive it.
  Branching(const Edges& edges, Budget& budget, Crew& crew, BranchingSettings settings)
      : edges_(edges), budget_(budget), crew_(crew), settings_(std::move(settings)) {}

  // All of these throw what poll() throws, and Error(memory).

  // Adds to `out` the nodes with a target in `set`.
  void next(const BitVector& set, BitVector& out);
  // Adds to `set` the nodes from which a path of nodes of `among` leads to a node of it.  nullptr:
  // any path does.
  void until(const BitVector* among, BitVector& set);
  // Removes from `set` the nodes from which no infinite path stays in it.
  void always(BitVector& set);

  const BranchingCounts& counts() const { return counts_; }

 private:
  bool join(const BitVector* among, BitVector& set);
  void join_by_worklist(const BitVector* among, BitVector& set);
  void remove_by_worklist(BitVector& set);

  const Edges& edges_;
  Budget& budget_;
  Crew& crew_;
  const BranchingSettings settings_;
  BranchingCounts counts_;
};

}  // namespace spillway
