// Edges on their way between ranks, so that each rank makes a part of them.
//
// Idea.  A rank expands its own states.  If the number of a successor is not known, the rank that
// the successor belongs to finds it.  The edges of a block go to the rank that packs the block.  So
// each step is made, looked up, sorted and packed on one rank.  Packed blocks go to all ranks, if
// all of them need all edges; they take a byte or two each then.  Or they stay where they are, and
// the ranks tell each other which nodes they have removed in passes over their own edges.
//
// Of one rank, everything belongs here and nothing is sent.
//
// What is sent goes by the exchange, in rounds (check/ranks/broadcast.h): a few batches are on
// their way to each rank, and nothing grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/memory/claim.h"
#include "base/process/crew.h"
#include "check/ranks/broadcast.h"
#include "check/session/session.h"
#include "passes/edge_join.h"
#include "passes/edges.h"

namespace spillway {

class EdgePost {
 public:
  // Called with what others have sent, by any thread of the crew.  A message without a function is
  // an error.
  struct Arrivals {
    std::function<void(unsigned thread, Node source, Node target, SetMask mark)> edge;
    std::function<void(unsigned thread, Node source, State target, SetMask mark)> step;
    std::function<void(std::size_t block, const PackedEdges& edges)> block;
    std::function<void(Node node)> removed;
  };
  // `block_nodes`: of a block.  Throws Error(memory) if the budget has no room for it.  REQUIRES:
  // all outlive it.
  EdgePost(Session& session, Budget& budget, Crew& crew, std::uint64_t block_nodes);

  // Whether a state is expanded here, and whether the edges of a block are packed here.
  bool is_own(State state) const {
    return !has_others_ || cluster_.owner(state) == cluster_.rank();
  }
  bool is_here(std::size_t block) const { return packs(block) == cluster_.rank(); }
  // For an EdgeJoin whose edges may be packed on other ranks.  `is_apart`: packed blocks stay where
  // they are.  REQUIRES: both outlive the join.
  EdgeShare share(const bool& is_apart);
  // Passes over so many states and more are shared by the ranks.
  std::uint64_t least_apart(std::uint64_t wanted) const {
    return has_others_ ? wanted : std::uint64_t(-1);
  }

  // All of these throw what Lookout and Cluster throw, and Error(integrity) if something arrives
  // that does not belong here.

  // By one thread, on all ranks: a round begins.  Nodes are below `most` in it.
  void begin(Node most, Arrivals arrivals);
  // From all threads of the crew.  What belongs here arrives at once.
  void send_edge(unsigned thread, Node source, Node target, SetMask mark) {
    if (has_others_)
      return send_edge_to(packs(source / block_nodes_), thread, source, target, mark);
    arrivals_.edge(thread, source, target, mark);
  }
  void send_step(unsigned thread, Node source, State target, SetMask mark) {
    if (has_others_) return send_step_to(cluster_.owner(target), thread, source, target, mark);
    arrivals_.step(thread, source, target, mark);
  }
  // To all other ranks.
  void send_block(unsigned thread, std::size_t block, const PackedEdges& edges);
  // To all other ranks.  REQUIRES: the block of the node is here.
  void send_removed(unsigned thread, Node node);
  // By one thread, on all ranks.  Returns when everything has arrived that was sent in this round.
  void finish();

 private:
  enum class Kind : std::uint8_t { edges, steps, block, removed };
  using Batch = std::vector<std::byte>;
  // What a thread collects for a rank; for this one, what goes to all others.
  struct RankBatches {
    Batch numbers;  // edges, or nodes that were removed
    Batch steps;
    Node source = 0, target = 0;  // of the edge before
  };

  void send_edge_to(unsigned to, unsigned thread, Node source, Node target, SetMask mark);
  void send_step_to(unsigned to, unsigned thread, Node source, State target, SetMask mark);
  unsigned packs(std::size_t block) const {
    return static_cast<unsigned>(block % cluster_.ranks());
  }
  RankBatches& batches(unsigned thread, unsigned rank) {
    return batches_[thread * cluster_.ranks() + rank];
  }
  std::size_t batches() const;
  static void begin_batch(Batch& batch, Kind kind);
  void post(unsigned thread, unsigned to, Batch& batch);
  Broadcast::Receive receiver(unsigned thread);
  void take(unsigned thread, unsigned from, std::span<const std::byte> batch);
  void take_edges(unsigned thread, unsigned from, std::span<const std::byte> bytes);
  void take_steps(unsigned thread, unsigned from, std::span<const std::byte> bytes);
  void take_block(unsigned from, std::span<const std::byte> bytes);
  void take_removed(unsigned from, std::span<const std::byte> bytes);
  [[noreturn]] static void refuse(unsigned from);

  Cluster& cluster_;
  const bool has_others_;
  Crew& crew_;
  const std::size_t words_;  // of a row
  const std::uint64_t block_nodes_;
  Arrivals arrivals_;
  Broadcast broadcast_;
  const std::size_t batch_bytes_;
  const Claim claim_;
  std::vector<RankBatches> batches_;
  Node most_ = 0;
};

}  // namespace spillway
