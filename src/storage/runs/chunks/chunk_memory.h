// Memory for chunks, in pieces of one size that return to the system as soon as they are free.
//
// The heap would hold on to free pieces between used ones, and the process would exceed its budget
// by far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/memory/budget.h"

namespace spillway {

class ChunkMemory {
 public:
  // REQUIRES: all pieces are returned before this ends.
  ChunkMemory(Budget& budget, std::size_t piece_bytes);
  ~ChunkMemory();
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;

  // What a chunk of `bytes` bytes takes from the budget.
  static std::size_t taken(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

  struct GiveBack {
    ChunkMemory* memory = nullptr;
    std::size_t bytes = 0;
    void operator()(std::uint8_t* piece) const { memory->give_back(piece, bytes); }
  };
  using Piece = std::unique_ptr<std::uint8_t[], GiveBack>;

  // nullptr if the budget or the system refuses.  REQUIRES: 0 < bytes <= piece_bytes.  Any thread.
  Piece get(std::size_t bytes);

 private:
  static constexpr std::size_t kPage = 4096;
  void give_back(std::uint8_t* piece, std::size_t bytes);
  bool map_more();

  Budget& budget_;
  const std::size_t piece_bytes_;
  std::mutex mutex_;
  std::vector<std::uint8_t*> slabs_;
  std::vector<std::uint8_t*> free_;
};

}  // namespace spillway
