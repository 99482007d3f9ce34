// The graph of the states of a search, for what only all of them together decide.
//
// Its nodes are numbered by level and, in a level, by row.  So they are the same for any number of
// threads, any memory and any search by levels.  Levels are read once more, and their states are
// expanded once more, after the next level has got its numbers.  So the targets of most steps are
// found among the states that were read last (passes/recent_nodes.h); the others are sorted
// (passes/edge_join.h).  All of it works in any amount of memory, except for what reads the edges
// afterwards.
//
// Of several ranks, all read all levels and number their states.  Each expands its own ones, and
// they tell each other the edges (check/graph/edge_post.h).  Where only accepting cycles are wanted
// and there are many states, each rank has the edges of some blocks, and passes are made together
// (check/graph/shared_passes.h).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/process/crew.h"
#include "check/graph/edge_post.h"
#include "check/session/search.h"
#include "io/data/missing_disk.h"
#include "passes/edge_join.h"
#include "passes/edges.h"
#include "passes/recent_nodes.h"
#include "storage/runs/ordered_rows.h"

namespace spillway {

// Only tests change them.
struct StateGraphSettings {
  BitVector::Medium bits = BitVector::Medium::memory_if_there_is_room;
  std::uint64_t block_nodes = 4096;  // whose edges are packed together
  // On several ranks: with fewer states, the ranks would wait for each other longer than a pass
  // takes, so each of them has all edges.
  std::uint64_t least_apart = std::uint64_t{1} << 20;
};

class StateGraph {
 public:
  enum class Kept {
    // All states.  Those without successors lead to themselves; those whose successors are all
    // excluded by assumptions lead nowhere.
    all,
    accepting,  // What an accepting cycle can lead through, and steps within one part
  };
  // Takes what the budget has left, at most.  `disk`: for what exceeds that; nullptr: nothing may.
  // REQUIRES: all outlive it.
  StateGraph(Session& session, Budget& budget, Crew& crew, Disk* disk, Kept kept,
             const StateGraphSettings& settings = {});
  ~StateGraph();

  // Once all levels have edges, these are kept in the journal if a checkpoint is due.  A later
  // process takes them from there.  REQUIRES: it outlives this object.
  void keep_in(Checkpoints& checkpoints) { checkpoints_ = &checkpoints; }

  // All of these throw Finished, Stopped, Error(memory, usage), errors of the disk,
  // Error(integrity) if a level has other states than in the search, and Error(model) if states
  // have other successors.

  // From now on, the states of the levels before `end` have numbers and edges.  Edges of the last
  // one may lead to the next, if it exists; those have numbers too.  REQUIRES: these levels are
  // complete.
  void extend(LevelReader& levels, std::uint64_t end, bool is_all);

  // Of each level with edges, the number after its last state.
  const std::vector<Node>& ends() const { return ends_; }
  Node size() const { return ends_.empty() ? 0 : ends_.back(); }
  // All nodes that edges lead to are below this one.
  Node targets() const { return targets_; }
  // Where there are other ranks, the edges of their blocks may be with them alone: is_apart().
  const Edges& edges() const { return edges_; }
  bool is_apart() const { return is_apart_; }
  std::uint64_t least_apart() const { return least_apart_; }  // states
  EdgePost& post() { return post_; }
  // Whether some state leads nowhere, if all are kept.
  bool has_dead_ends() const { return has_dead_ends_.load(); }
  std::uint64_t level(Node node) const;

  // Calls visit(worker, node, row) for all states with edges, on all threads.  It may execute the
  // model.
  void each(LevelReader& levels, const std::function<void(unsigned, Node, State)>& visit);
  // The rows of some states, in this order.
  std::vector<std::vector<Word>> rows(LevelReader& levels, std::span<const Node> nodes);

 private:
  struct Worker;
  using VisitBatch = std::function<void(Node first, States rows)>;

  void read(LevelReader& levels, std::uint64_t depth, Node first, const VisitBatch& visit);
  void compare_with_search(std::uint64_t depth) const;
  void compare_transitions(const std::vector<Tally>& expanded);
  struct Extension;
  Extension begin_extension(LevelReader& levels);
  void expand_levels(LevelReader& levels, std::uint64_t end, bool is_all);
  void add_level(LevelReader& levels, Extension& to, std::uint64_t depth);
  void name_nodes(LevelReader& levels, std::uint64_t end);
  bool is_any_lost() const;
  void agree_on_expanded(std::vector<Tally>& tallies);
  void find_targets(bool is_any);
  void pack();
  EdgePost::Arrivals arrivals();
  static std::size_t room_left(const Extension& to);
  void expand_some(Extension& to);
  void finish_level(Extension& to);
  void expand_until(Extension& to, Node end);
  void expand(unsigned thread, const RecentNodes& recent, Node first, std::size_t count);
  void list_steps(Worker& worker, const RecentNodes& recent, Node node, std::size_t first);
  Node begin(std::uint64_t depth) const { return depth == 0 ? 0 : ends_[depth - 1]; }  // of a level
  bool is_kept(State row) const;
  std::uint64_t left_by_others() const;  // of the share
  std::string kept_as() const;
  bool take_kept(std::uint64_t end);
  void take_kept(std::uint64_t end, const GetBytes& get);
  void keep();
  std::uint64_t states_so_far() const;
  // Calls work(thread, first, count) for parts of `count` things.
  using Work = std::function<void(unsigned thread, std::size_t first, std::size_t count)>;
  void in_parallel(std::size_t count, const Work& work);

  Session& session_;
  Checkpoints* checkpoints_ = &Checkpoints::none();
  const Model& model_;
  Crew& crew_;
  const Kept kept_;
  Budget& budget_;
  EdgePost post_;
  const std::uint64_t least_apart_;
  bool is_apart_ = false;
  const std::uint64_t share_;  // of the budget
  const EdgeJoinSettings join_settings_;
  MissingDisk no_disk_;
  ChunkStore store_;
  std::unique_ptr<OrderedRows> level_;
  std::unique_ptr<EdgeJoin> join_;
  Edges edges_;
  std::vector<Node> ends_;
  Node targets_ = 0;
  std::uint64_t named_ = 0;  // levels whose states are in the join
  std::vector<Worker> workers_;
  std::atomic<bool> has_dead_ends_{false};
  std::atomic<std::size_t> blocks_arrived_{0};  // from other ranks
};

}  // namespace spillway
