// The accepting cycle that is reported: one and the same however the search was carried out.
//
// A prefix is the nodes of the first levels and the edges between them.  If a prefix has an
// accepting cycle, all larger ones have it too, so there is a least one.  The cycle begins at the
// least node of that prefix that is on an accepting cycle of it.
//
// Whether there is one is decided by trim-out if all edges that remain are in all sets, and
// otherwise by the components of what remains.  If memory does not suffice for these, by passes
// (Emerson and Lei 1986): S is what remains; keep the nodes from which an edge of the set within S
// can be reached, for one set after the other, and trim; until nothing changes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/crew.h"
#include "passes/accepting.h"
#include "passes/edges.h"
#include "passes/trim.h"

namespace spillway {

struct AcceptingCycle {
  std::uint64_t levels;     // of the least prefix
  Node first;               // the node where it begins
  std::vector<Node> nodes;  // those after it, in order; the last one is `first`
};

struct LeastPrefixSettings {
  std::uint64_t most_passes = 24;  // then components are cheaper than further passes
  std::function<void()> poll = [] {};
  // Edges may lead to nodes that are not there yet, with numbers below this one.
  std::uint64_t targets = 0;
  // For nodes that are in the order of levels, but in no order within a level.
  NodeOrder order = {};
  // To go on where an earlier process was, in the first check, which is of all levels.  Both are
  // called with a set that all accepting cycles are in: `begin` before the first pass, and may
  // take nodes out of which that is known; `between` after passes.
  std::function<void(BitVector& set)> begin = [](BitVector&) {};
  std::function<void(const BitVector& set)> between = [](const BitVector&) {};
  // Only tests change it: false as if memory never sufficed for them.
  bool components = true;
};

class LeastPrefix {
 public:
  // `wanted`: the sets that a cycle has to meet.  `ends`: of each level, the number after its last
  // node.  REQUIRES: all outlive it, and the last end is the number of nodes.
  LeastPrefix(const Edges& edges, SetMask wanted, const std::vector<Node>& ends, Budget& budget,
              Crew& crew, LeastPrefixSettings settings);

  // These throw Error(memory), and what poll() throws.

  // REQUIRES: the first `without` levels have no accepting cycle.
  std::optional<AcceptingCycle> find(std::uint64_t without = 0);
  // How many levels the least prefix has.
  std::optional<std::uint64_t> find_levels(std::uint64_t without = 0);
  // Whether the first `levels` levels have one.
  bool has_cycle(std::uint64_t levels);

  // Of the edges within a set.
  struct Marks {
    SetMask common = ~SetMask{0};
    SetMask all = 0;
  };
  // Makes set() a set that all accepting cycles of the first `levels` levels are in: without more
  // than that, if memory suffices for components.
  Marks keep_cycles(std::uint64_t levels);
  const BitVector& set() const { return set_; }

  const TrimCounts& counts() const { return counts_; }

 private:
  Marks marks_in_set() const;
  bool is_marked_throughout() const;
  bool has_cycle_by_components();
  bool has_cycle_by_passes();
  void after_pass() const;
  void find_least();
  std::vector<Node> cycle_through(Node node) const;  // of the component in set_
  void add_marked(int set, BitVector& out) const;

  const Edges& edges_;
  const SetMask wanted_;
  const std::vector<Node>& ends_;
  Budget& budget_;
  Crew& crew_;
  const LeastPrefixSettings settings_;
  BitVector set_;              // after has_cycle(): a set that all accepting cycles are in
  std::optional<Node> least_;  // on an accepting cycle, if components were searched
  TrimCounts counts_;
  std::uint64_t checks_ = 0;
};

}  // namespace spillway
