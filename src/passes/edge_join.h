// Makes edges between nodes from steps between rows, in any amount of memory.
//
// Idea.  A node and the steps that lead to it have the same row, so sorting brings them together.
//
//   sort  (row of the node, 0, its number)  and  (row of the target, 1, the source)
//   go through them in order: the target of each step is the node before it
//   sort  (source, target);  pack them
//
// Source.  Delayed duplicate detection, with numbers of nodes in place of levels.
//
// Cost.  Two external sorts of the steps, of a row and a word and of one or two words, and one of
// the nodes.  Nodes stay for the steps of later calls, as a sorted run.  A step to a target whose
// number is known already goes to the second sort at once.
//
// The numbers of nodes and the sets of steps take one word in a record, or two if there are many
// sets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/process/crew.h"
#include "base/set_mask.h"
#include "base/state.h"
#include "passes/edges.h"
#include "storage/runs/chunks/chunk_store.h"

namespace spillway {

// What others do of a join, so that each does a part of it.  Each function is called by any thread
// of the crew.  An empty one: nobody else does anything.
struct EdgeShare {
  // Whether the edges of a block are packed here.
  std::function<bool(std::size_t block)> is_here;
  // A step has found its target, and add_edge() is to be called wherever its edge is packed.
  std::function<void(unsigned thread, Node source, Node target, SetMask mark)> found;
  // A block that was packed here, before it is put.
  std::function<void(unsigned thread, std::size_t block, const PackedEdges& edges)> packed;
};

struct EdgeJoinSettings {
  std::size_t words = 1;                          // of a row
  unsigned sets = 1;                              // that a step can be in
  std::uint64_t bytes = std::uint64_t{64} << 20;  // of memory that it may take, about
  std::size_t fan_in = 8;
  // Called now and then by any thread of the crew.
  std::function<void(unsigned thread)> poll = [](unsigned) {};
  // Where others have some of the edges.
  EdgeShare share = {};
};

class EdgeJoin {
 public:
  // REQUIRES: all outlive it.
  static std::unique_ptr<EdgeJoin> make(ChunkStore& store, Crew& crew,
                                        const EdgeJoinSettings& settings);
  virtual ~EdgeJoin() = default;
  // The most bytes of a block that it writes.
  static std::size_t most_block_bytes(const EdgeJoinSettings& settings);

  // Memory is drawn from the budget from begin() to the end of pack().  All of these throw
  // Error(usage) and Error(memory) if there is too little, and errors of the disk.
  // The steps that are added lead from the node `first` on, and all nodes are below `most`.
  virtual void begin(Node first, Node most) = 0;
  // These from all threads of the crew.  Each node once; its row does not come again.
  virtual void add_node(unsigned thread, State row, Node node) = 0;
  virtual void add_step(unsigned thread, Node source, State target, SetMask mark) = 0;
  // The same for a target whose number is known.
  virtual void add_edge(unsigned thread, Node source, Node target, SetMask mark) = 0;
  // Finds the targets of all steps.  REQUIRES: all nodes that they lead to were added since begin()
  // or earlier.  Throws Error(model) if one was not.
  virtual void find_targets() = 0;
  // Adds the edges of the nodes up to `end` to `edges`, which has those up to the nodes that it
  // has.  REQUIRES: find_targets(), and all edges from these nodes were added.
  virtual void pack(Edges& edges, Node end) = 0;
  void join(Edges& edges, Node end) {
    find_targets();
    pack(edges, end);
  }
};

}  // namespace spillway
