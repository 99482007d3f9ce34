// The nodes of a graph whose states are the rows of a visited set: those through which an accepting
// cycle may lead, numbered in the order of levels.
//
// Rows have their numbers from that set, in no order.  Nodes get theirs when their level is
// complete.  4 bytes for each row, all drawn from the budget.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/claim.h"
#include "base/process/crew.h"
#include "model/acceptance.h"
#include "passes/edges.h"
#include "search/ram/packed_set.h"

namespace spillway {

class NodeNumbers {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;  // a row that is no node

  // REQUIRES: all outlive it.
  NodeNumbers(const Acceptance& acceptance, const PackedSet& visited, Budget& budget)
      : acceptance_(acceptance), visited_(visited), budget_(budget) {}

  // The rows of the next level.  Throws Error(memory).
  void add_level(Crew& crew, const std::vector<RowPool::Segment>& segments);

  std::uint32_t node(std::uint64_t row) const { return pages_[row / kPage][row % kPage]; }
  std::uint64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
  // Of each level, the number after its last node.
  const std::vector<Node>& ends() const { return ends_; }
  std::uint64_t level(Node node) const;

  // Of each of the first `count` nodes, the number of its row.  `claim` receives their memory.
  std::vector<std::uint32_t> rows(std::uint64_t count, Claim& claim) const;

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 16;
  // Rows of a segment that one thread takes at a time.
  struct Portion {
    RowPool::Segment rows;
    std::uint64_t nodes;
  };

  void need_pages(const std::vector<RowPool::Segment>& segments);
  std::uint64_t mark(RowPool::Segment rows);                // as nodes or none; returns the nodes
  void number(RowPool::Segment rows, std::uint32_t first);  // those that are marked

  const Acceptance& acceptance_;
  const PackedSet& visited_;
  Budget& budget_;
  std::vector<Claim> claims_;
  std::vector<std::unique_ptr<std::uint32_t[]>> pages_;
  std::vector<Node> ends_;
};

}  // namespace spillway
