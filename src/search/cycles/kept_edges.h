// Edges of the level that is being expanded, as one thread finds them.
//
// The states that steps lead to are known by the numbers of their rows: nodes get theirs when the
// next level is complete.  Until then edges are kept as they are, 4 bytes for each, or 8 or 12 with
// marks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/memory/claim.h"
#include "base/set_mask.h"
#include "passes/edges.h"

namespace spillway {

class KeptEdges {
 public:
  // `sets`: of marks on steps; 0: one mark for all steps from a state.
  KeptEdges(Budget& budget, unsigned sets)
      : budget_(&budget),
        mark_words_(sets == 0    ? 0
                    : sets <= 32 ? 1
                                 : 2) {}

  // The steps from a node.  Nodes come in increasing order.  `marks`: of each row, or one for all
  // of them.  Throws Error(memory).
  void add(std::uint32_t node, std::span<const std::uint32_t> rows, std::span<const SetMask> marks);
  void clear() { chunks_.clear(); }
  bool empty() const { return chunks_.empty(); }

  // Reads nodes in order.
  class Reader {
   public:
    // From the first node at or after `from`.
    Reader(const KeptEdges& edges, Node from);
    // Whether there are edges of this node; rows() and marks() are those, then.  REQUIRES: nodes
    // are asked for in increasing order.
    bool find(Node node);
    std::span<const std::uint32_t> rows() const { return rows_; }
    // Of each row, or one for all of them.
    std::span<const SetMask> marks() const { return marks_; }

   private:
    bool at_end() const { return chunk_ == edges_.chunks_.size(); }
    void skip();

    const KeptEdges& edges_;
    std::size_t chunk_ = 0;
    std::size_t at_ = 0;  // in the chunk
    std::span<const std::uint32_t> rows_;
    std::vector<SetMask> marks_;
  };

 private:
  // Records: the node, the number of steps, their rows, their marks; or, if all have one mark, that
  // is the lowest bit of the number of steps.
  struct Chunk {
    Claim claim;
    std::vector<std::uint32_t> words;  // never more than what it was made for
    std::uint32_t first;               // node
  };
  static constexpr std::size_t kChunkWords = 1 << 13;
  std::size_t record_words(std::size_t steps) const { return 2 + steps * (1 + mark_words_); }

  Budget* budget_;
  unsigned mark_words_;
  std::vector<Chunk> chunks_;
};

}  // namespace spillway
