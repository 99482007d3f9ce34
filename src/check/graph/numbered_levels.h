// The levels of a search, and the numbers of their states: by level and, in a level, by row.
//
// So numbers are the same for any number of threads, any memory and any search by levels.  A level
// that is read again is compared with what the search has seen.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/process/crew.h"
#include "check/session/search.h"
#include "passes/edges.h"
#include "storage/runs/ordered_rows.h"

namespace spillway {

class NumberedLevels {
 public:
  // Which states are nodes.
  enum class Kept {
    // All states.  Those without successors lead to themselves; those whose successors are all
    // excluded by assumptions lead nowhere.
    all,
    accepting,  // What an accepting cycle can lead through, and steps within one part
  };
  using VisitRows = std::function<void(Node first, States rows)>;
  using VisitNode = std::function<void(unsigned thread, Node node, State row)>;

  // `bytes`: of memory that reading takes, about.  REQUIRES: all outlive it.
  NumberedLevels(Session& session, Crew& crew, ChunkStore& store, std::uint64_t bytes, Kept kept);

  // Of each level with numbers, the number after its last node.
  const std::vector<Node>& ends() const { return ends_; }
  std::uint64_t levels() const { return ends_.size(); }
  Node size() const { return ends_.empty() ? 0 : ends_.back(); }
  // The first node of a level.  REQUIRES: depth <= levels().
  Node begin(std::uint64_t depth) const { return depth == 0 ? 0 : ends_[depth - 1]; }
  std::uint64_t level(Node node) const;
  // One more level has numbers: those up to `end`.
  void end_level(Node end) { ends_.push_back(end); }
  void clear() { ends_.clear(); }

  // All of these throw Finished, Stopped, Error(memory, usage), errors of the disk, and
  // Error(integrity) if the level has other states than in the search.

  // Calls visit for the nodes of a level in order, some at a time.  REQUIRES: depth <= levels().
  void read(LevelReader& levels, std::uint64_t depth, const VisitRows& visit);
  // The same on all threads.  It may execute the model.
  void each(LevelReader& levels, std::uint64_t depth, const VisitNode& visit);
  // The rows of some nodes, in this order.
  std::vector<std::vector<Word>> rows(LevelReader& levels, std::span<const Node> nodes);
  // Gives back the memory that reading takes.
  void end() { level_->end(); }

 private:
  void compare_with_search(std::uint64_t depth, const Tally& read) const;

  Session& session_;
  const Model& model_;
  Crew& crew_;
  const Kept kept_;
  const std::unique_ptr<OrderedRows> level_;
  std::vector<Node> ends_;
};

// Calls work(thread, first, count) for parts of `count` states, on all threads.  It may execute the
// model.
void share_out_states(
    Session& session, Crew& crew, std::size_t count,
    const std::function<void(unsigned thread, std::size_t first, std::size_t count)>& work);

}  // namespace spillway
