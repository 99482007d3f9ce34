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
#pragma once

#include <cstdint>
#include <functional>

#include "base/crew.h"
#include "passes/edges.h"
#include "storage/states/bit_vector.h"

namespace spillway {

struct TrimCounts {
  std::uint64_t passes = 0;
  std::uint64_t edges = 0;  // looked at
};

// Removes nodes from `set` until each has a target in it.  REQUIRES: it has a bit for each node.
// Stops before that after `most_passes` passes, and returns false.  `between` is called before each
// pass and now and then in it, with the passes so far; it may throw.
bool trim(const Edges& edges, BitVector& set, Budget& budget, Crew& crew, std::uint64_t most_passes,
          const std::function<void(std::uint64_t passes)>& between, TrimCounts& counts);

}  // namespace spillway
