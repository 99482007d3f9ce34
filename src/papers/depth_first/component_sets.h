// The strongly connected components of a graph, as many threads find them together.
//
// A union-find structure: nodes that are known to be on a common cycle are one set.  A set knows
// the threads that have entered it, the acceptance sets of the steps inside, and which of its nodes
// have not been dealt with, as a circular list.  Any thread; one lock guards all of it.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "base/set_mask.h"
#include "papers/depth_first/node_array.h"
#include "papers/depth_first/step_graph.h"

namespace spillway {

class ComponentSets {
 public:
  static constexpr unsigned kMostThreads = 64;

  ComponentSets(Budget& budget, std::uint64_t most_nodes, SetMask wanted)
      : wanted_(wanted), entries_(budget, most_nodes) {}

  enum class Entered { complete, first, again };
  // A thread comes to a node: its set is complete, or the thread is in it for the first time or
  // not.  A node that is new is a set by itself.
  Entered enter(StepNode node, unsigned worker);
  // A node of the same set that has not been dealt with, or nothing: then the set is complete.
  std::optional<StepNode> pick(StepNode node);
  void remove(StepNode node);  // it has been dealt with

  bool are_together(StepNode a, StepNode b);
  void unite(StepNode a, StepNode b);
  // A step between two nodes of the set of `node`.  True if the set has met all acceptance sets.
  bool add_step(StepNode node, SetMask mark);

 private:
  struct Entry {
    std::uint32_t parent;  // and 1; 0: the node is new
    StepNode next;         // in the list
    StepNode head;         // of a root: some node of the list
    bool removed;
    bool complete;  // of a root
    std::uint64_t workers;
    SetMask met;
  };
  StepNode find(StepNode node);

  const SetMask wanted_;
  std::mutex mutex_;
  NodeArray<Entry> entries_;
};

}  // namespace spillway
