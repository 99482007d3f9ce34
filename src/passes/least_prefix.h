// The accepting cycle that is reported: one and the same however the search was carried out.
//
// A prefix is the nodes of the first levels and the edges between them.  If a prefix has an
// accepting cycle, all larger ones have it too, so there is a least one.  The cycle begins at the
// least node of that prefix that is on an accepting cycle of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/crew.h"
#include "passes/accepting.h"
#include "passes/edges.h"
#include "passes/trim.h"

namespace spillway {

struct AcceptingCycle {
  std::uint64_t levels;     // of the least prefix
  Rank first;               // the node where it begins
  std::vector<Rank> nodes;  // those after it, in order; the last one is `first`
};

// The nodes on the way to `node`, one of each level before its own: of several predecessors in the
// level before, the least.  `ends`: of each level, the rank after its last node.  REQUIRES: each
// node has one there, unless it is in the first level.
std::vector<Rank> stem_to(Rank node, const Edges& edges, const std::vector<Rank>& ends);

class LeastPrefix {
 public:
  struct Settings {
    std::uint64_t most_passes = 24;  // then components are cheaper than further passes
    std::function<void()> poll = [] {};
  };
  // `ends`: of each level, the rank after its last node.  REQUIRES: all outlive it, and the last
  // end is the number of nodes.
  LeastPrefix(const Edges& edges, const AcceptanceSets& sets, const std::vector<Rank>& ends,
              Budget& budget, Crew& crew, Settings settings);

  // Throws Error(memory), and what poll() throws.
  std::optional<AcceptingCycle> find();

  const TrimCounts& counts() const { return counts_; }
  std::uint64_t checks() const { return checks_; }

 private:
  // Whether the first `levels` levels have an accepting cycle.  Leaves a set that has all of them.
  bool has_cycle(std::uint64_t levels);
  bool meets_all_sets() const;
  bool is_within_all_sets() const;

  const Edges& edges_;
  const AcceptanceSets& sets_;
  const std::vector<Rank>& ends_;
  Budget& budget_;
  Crew& crew_;
  const Settings settings_;
  BitVector set_;
  std::optional<Rank> least_;  // on an accepting cycle, if components were searched
  TrimCounts counts_;
  std::uint64_t checks_ = 0;
};

}  // namespace spillway
