// Trim-out: which nodes have an infinite path.
//
// Idea.  Remove nodes without a target in the set, in passes over the edges from the last node
// down, until nothing changes.  What remains is the set of nodes from which some path never ends.
// A node is looked at again only if that can matter: it remembers one target as its witness, and a
// pass after which no witness is missing is the last.
//
//   repeat  X := {};  dirty := false
//     for v from the last to the first, v in S:
//       w := the largest target of v that is in S
//       if there is none: S := S - {v};  dirty := dirty or v in X
//       else if w may still be removed in this pass: X := X + {w}
//   until not dirty
//
// Source.  Our own, measured beside OWCTY, Emerson-Lei and others in docs/design/ltl.md.
//
// Cost.  Two bits a node.  A pass reads the edges of the nodes that remain; whenever these have
// become half as many, edges on disk are copied without the others, if there is room.  There is one
// pass more than the largest number of edges to lower nodes on a path through what is removed.
//
// All threads work on one pass, each on a block at a time.  S and X are shared, and the result is
// the same for any number of threads.
//
// Of several ranks, each has the edges of some blocks, all of S, and an X of its own.  A pass goes
// by levels: each rank looks at its own nodes of a level, and tells the others which are gone
// before any of them comes to the level before.  Nearly all edges lead to the next level, so there
// are no more passes than with one rank, and each node is on the wire once for each other rank.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "base/process/crew.h"
#include "passes/edges.h"
#include "storage/bits/bit_vector.h"

namespace spillway {

struct TrimCounts {
  std::uint64_t passes = 0;
  std::uint64_t edges = 0;  // looked at
};

// What the ranks tell each other during a pass.  All of them call begin(), finish() and any() in
// the same order, from one thread.
class TrimShare {
 public:
  virtual ~TrimShare() = default;
  // Whether the edges of a block are here.  One rank has them.
  virtual bool is_here(std::size_t block) const = 0;
  // The nodes from `first` up to `end` are looked at.  Threads of the crew may call gone(node) for
  // those that other ranks have removed, until finish() returns.
  using Gone = std::function<void(Node node)>;
  virtual void begin(Node first, Node end, Gone gone) = 0;
  // A node was removed here.  Any thread of the crew.
  virtual void tell(unsigned thread, Node node) = 0;
  // Returns when this rank knows of all that were removed.
  virtual void finish() = 0;
  virtual bool any(bool own) = 0;
};

// Removes nodes from `set` until each has a target in it.  REQUIRES: it has a bit for each node.
// Stops before that after `most_passes` passes, and returns false.  `between` is called before each
// pass and now and then in it, with the passes so far; it may throw.
bool trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew, std::uint64_t most_passes,
          const std::function<void(std::uint64_t passes)>& between, TrimCounts& counts);

// The same on several ranks, which have the same set, before and after.  `ends`: of each level, the
// number after its last node.  Stops also when fewer than `least_nodes` are left.  Edges that are
// counted are those of this rank.
struct TrimTogether {
  std::span<const Node> ends;
  TrimShare& share;
  std::uint64_t most_passes = UINT64_MAX;
  std::uint64_t least_nodes = 0;
};
bool trim_together(const Edges& edges, BitVector& set, const TrimTogether& how, Budget& budget,
                   Crew& crew, const std::function<void(std::uint64_t passes)>& between,
                   TrimCounts& counts);

}  // namespace spillway
