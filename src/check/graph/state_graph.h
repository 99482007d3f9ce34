// The graph of the states of a search, for what only all of them together decide.
//
// Its parts: nodes have numbers by level and row (numbered_levels.h), their steps are made once more
// (step_maker.h), the targets of those that led to states no longer remembered are found by sorting
// (passes/edge_join.h), and the edges are kept for a later process (kept_graph.h).  All of it works
// in any amount of memory, except for what reads the edges afterwards.
//
// Of several ranks, all read all levels and number their states.  Each expands its own ones, and
// they tell each other the edges (edge_post.h).  Where only accepting cycles are wanted and there are
// many states, each rank has the edges of some blocks, and passes are made together
// (shared_passes.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "check/graph/edge_post.h"
#include "check/graph/kept_graph.h"
#include "check/graph/numbered_levels.h"
#include "check/graph/step_maker.h"
#include "io/data/missing_disk.h"
#include "passes/edge_join.h"

namespace spillway {

// Only tests change them.
struct StateGraphSettings {
  BitVector::Medium bits = BitVector::Medium::memory_if_there_is_room;
  std::uint64_t block_nodes = 4096;  // whose edges are packed together
  // On several ranks: with fewer states, the ranks would wait for each other longer than a pass
  // takes, so each of them has all edges.
  std::uint64_t least_apart = std::uint64_t{1} << 20;
};

// How a graph divides the memory that it may take.  Nodes and edges leave most of it to what sorts
// and merges, and afterwards to those who read them.
struct GraphMemory {
  GraphMemory(std::uint64_t bytes, bool with_disk);

  const std::uint64_t join, order;              // for the sorts of steps and of rows
  const std::uint64_t remember;                 // for the nodes that came last
  const std::uint64_t edges_leave, runs_leave;  // of the budget to others
  const std::size_t chunk_bytes;
};

class StateGraph {
 public:
  using Kept = NumberedLevels::Kept;
  // Takes what the budget has left, at most.  `disk`: for what exceeds that; nullptr: nothing may.
  // REQUIRES: all outlive it.
  StateGraph(Session& session, Budget& budget, Crew& crew, Disk* disk, Kept kept,
             const StateGraphSettings& settings = {});

  // Once all levels have edges, these are kept in the journal if a checkpoint is due.  A later
  // process takes them from there.  REQUIRES: it outlives this object.
  void keep_in(Checkpoints& checkpoints) { kept_graph_.keep_in(checkpoints); }

  // All of these throw Finished, Stopped, Error(memory, usage), errors of the disk,
  // Error(integrity) if a level has other states than in the search, and Error(model) if states
  // have other successors.

  // From now on, the states of the levels before `end` have numbers and edges.  Edges of the last
  // one may lead to the next, if it exists; those have numbers too.  REQUIRES: these levels are
  // complete.
  void extend(LevelReader& levels, std::uint64_t end, bool is_all);

  // Of each level with edges, the number after its last state.
  const std::vector<Node>& ends() const { return numbers_.ends(); }
  Node size() const { return numbers_.size(); }
  // All nodes that edges lead to are below this one.
  Node targets() const { return targets_; }
  // Where there are other ranks, the edges of their blocks may be with them alone: is_apart().
  const Edges& edges() const { return edges_; }
  bool is_apart() const { return is_apart_; }
  std::uint64_t least_apart() const { return least_apart_; }  // states
  EdgePost& post() { return post_; }
  // Whether some state leads nowhere, if all are kept.
  bool has_dead_ends() const { return has_dead_ends_; }
  std::uint64_t level(Node node) const { return numbers_.level(node); }

  // Calls visit(worker, node, state) for all states with edges, on all threads.  It may execute the
  // model.
  void each(LevelReader& levels, const NumberedLevels::VisitNode& visit);
  // Some states, in this order.
  std::vector<std::vector<Word>> states(LevelReader& levels, std::span<const Node> nodes);
  // The least state of a level that is among these.  Where rows are short, it need not have the
  // least number.  REQUIRES: one is.
  std::vector<Word> least(LevelReader& levels, std::uint64_t depth, const BitVector& among);

 private:
  bool expand_levels(LevelReader& levels, std::uint64_t end, bool is_all);
  void name_nodes(LevelReader& levels, std::uint64_t end);
  void find_targets(bool is_any);
  void pack();
  std::uint64_t nodes_to_remember() const;
  EdgePost::Arrivals arrivals();

  Session& session_;
  const std::size_t words_;  // of a row
  Crew& crew_;
  const Kept kept_;
  Budget& budget_;
  EdgePost post_;
  const std::uint64_t least_apart_;
  bool is_apart_ = false;
  const GraphMemory memory_;
  const EdgeJoinSettings join_settings_;
  MissingDisk no_disk_;
  ChunkStore store_;
  NumberedLevels numbers_;
  std::unique_ptr<EdgeJoin> join_;
  Edges edges_;
  Node targets_ = 0;
  std::uint64_t named_ = 0;  // levels whose states are in the join
  bool has_dead_ends_ = false;
  std::atomic<std::size_t> blocks_arrived_{0};  // from other ranks
  KeptGraph kept_graph_{session_, kept_, {numbers_, edges_, has_dead_ends_}};
};

}  // namespace spillway
