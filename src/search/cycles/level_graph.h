// The graph of the states that a search by levels has met, as far as accepting cycles can lead
// through it, and whether there is one.
//
// A prefix is checked by passes over its edges (passes/least_prefix.h).  Nodes of a level have
// numbers in any order.  Only where one of several nodes has to be preferred, their rows decide, so
// the cycle is the same for any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/process/crew.h"
#include "check/facts/finding.h"
#include "check/session/lookout.h"
#include "passes/shortest_lasso.h"
#include "search/cycles/kept_edges.h"
#include "search/cycles/node_numbers.h"

namespace spillway {

class LevelGraph {
 public:
  // `block_nodes`: only tests change it.  REQUIRES: all outlive it.
  LevelGraph(const Acceptance& acceptance, const PackedSet& visited, Budget& budget, Crew& crew,
             std::uint64_t block_nodes)
      : acceptance_(acceptance),
        visited_(visited),
        budget_(budget),
        crew_(crew),
        nodes_(acceptance, visited, budget),
        edges_(budget, 0, block_nodes) {}

  // The rows of the next level, before any of them is expanded.  Throws Error(memory).
  void add_level(const std::vector<RowPool::Segment>& segments) {
    nodes_.add_level(crew_, segments);
  }
  // What all threads have kept of the steps from the level before the last.  Throws Error(memory).
  // REQUIRES: where they lead has been added.
  void add_edges(const std::vector<const KeptEdges*>& kept);

  // The node of a row, or NodeNumbers::kNone.
  std::uint32_t node(std::uint64_t row) const { return nodes_.node(row); }
  std::uint64_t edges() const { return edges_.edges(); }

  // An accepting cycle of the levels whose edges are known, if there is one.  Calls `poll` now and
  // then, which may throw.  Throws Error(memory).
  std::optional<Finding> check(const std::function<void()>& poll);
  // The same, with a shortest way to a cycle, together with the cycle, if that is certain by now.
  // `is_all`: there are no more levels.
  std::optional<Finding> check_for_shortest(bool is_all, Lookout& lookout);
  // How many levels that will take; 0: there is no accepting cycle so far.
  std::uint64_t wanted_levels() const { return lasso_.wanted_levels(); }
  std::uint64_t levels() const { return levels_; }  // whose edges are known

 private:
  void fill(EdgeBlock& block, Node end, const std::vector<const KeptEdges*>& kept) const;
  void put_tail();
  LeastPrefixSettings passes(const std::function<void()>& poll) const;
  std::vector<Node> ends() const;  // of levels whose edges are known
  State row(Node node, std::vector<Word>& buffer) const {
    return visited_.row(rows_[node], buffer);
  }
  // Notes it if there is none.
  bool has_cycle(const std::vector<Node>& ends, const LeastPrefixSettings& settings);
  void order_by_rows(LeastPrefixSettings& settings);
  Finding finding_of(const AcceptingCycle& cycle) const;

  const Acceptance& acceptance_;
  const PackedSet& visited_;
  Budget& budget_;
  Crew& crew_;
  NodeNumbers nodes_;
  Edges edges_;
  std::uint64_t levels_ = 0;   // whose edges are known
  std::uint64_t checked_ = 0;  // levels that have no accepting cycle
  EdgeBlock tail_;             // the last block, until it is full
  // Of the nodes, once they have to be compared.
  std::vector<std::uint32_t> rows_;
  Claim for_rows_;
  LassoInLevels lasso_;
};

}  // namespace spillway
