// The nodes that each step of a search by lanes came to, packed: to find the way back.
//
// A layer is nodes in increasing order, each with its lanes: the gap to the node before, and the
// lanes, as numbers of seven-bit groups.  Layers are in memory, and on disk where memory does not
// suffice.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/memory/claim.h"
#include "passes/edges.h"
#include "storage/blocks/byte_file.h"

namespace spillway {

// A node on the way back, and the sets that were met before it.
struct LaneNode {
  Node node;
  unsigned met;
};

class LaneLayers {
 public:
  // REQUIRES: the budget and the disk of the room outlive it.
  LaneLayers(Budget& budget, const EdgeRoom& room) : budget_(budget), room_(room) {}

  // All of these throw Error(memory) and errors of the disk.

  void begin_layer();
  // REQUIRES: more than the node before.
  void add(Node node, std::uint64_t lanes);
  // After the last layer, before any is read.
  void settle();

  // Calls visit(node, lanes) for the nodes of a layer in order, until it returns false.
  void each(std::size_t layer, const std::function<bool(Node, std::uint64_t)>& visit);

 private:
  // Some nodes of a layer.
  struct Piece {
    Claim claim;
    std::uint64_t size = 0;
    std::uint64_t at = 0;             // in the file, if it is there
    std::vector<std::uint8_t> bytes;  // otherwise
  };

  void end_piece();

  Budget& budget_;
  const EdgeRoom room_;
  std::optional<ByteFile> file_;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> layers_;  // their first pieces
  std::vector<std::uint8_t> open_;   // the piece being filled
  Node before_ = 0;                  // the last node in it
};

}  // namespace spillway
