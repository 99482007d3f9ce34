// Passes over edges of which each rank has a part.
//
// Idea.  A block of edges is on the rank that has packed it (check/graph/edge_post.h).  Trim-out
// removes nodes together (passes/trim.h): what is sent is the numbers of nodes that are gone, each
// of them once.  What remains is little, or on cycles, or leads to them.  The edges within it are
// sent to all ranks, which then decide alike.
//
// Cost.  A byte or two for each node and each other rank, and a round of the exchange for each
// level of a pass.  Each rank has two bits for each node of all ranks.
#pragma once

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/graph/state_graph.h"
#include "check/ranks/cluster.h"
#include "passes/trim.h"

namespace spillway {

class SharedPasses final : private TrimShare {
 public:
  // REQUIRES: all outlive it, and states.is_apart().
  SharedPasses(StateGraph& states, Cluster& cluster, Budget& budget, Crew& crew)
      : states_(states), cluster_(cluster), budget_(budget), crew_(crew) {}

  // Both are called on all ranks, with the same set.  They throw what EdgePost does, Error(memory),
  // errors of the disk, and what poll() throws.

  // Removes nodes from a set, each of which has only finitely many steps ahead within it: all of
  // them, or until `most_passes` passes were made or so few are left that a rank does better alone.
  void trim(BitVector& set, std::uint64_t most_passes, const std::function<void()>& poll);
  // The edges between nodes of a set, those of all ranks.
  Edges edges_within(const BitVector& set, const std::function<void()>& poll);

 private:
  bool is_here(std::size_t block) const override { return states_.post().is_here(block); }
  void begin(Node first, Node end, Gone gone) override;
  void tell(unsigned thread, Node node) override { states_.post().send_removed(thread, node); }
  void finish() override { states_.post().finish(); }
  bool any(bool own) override { return cluster_.any(own); }
  std::size_t wanted_from_others(const BitVector& set) const;

  StateGraph& states_;
  Cluster& cluster_;
  Budget& budget_;
  Crew& crew_;
};

}  // namespace spillway
