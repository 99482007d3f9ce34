// Where chunks of sorted runs go: into memory while the budget has enough left, to disk afterwards.
#pragma once

#include <array>
#include <cstdint>

#include "base/budget.h"
#include "storage/chunk.h"
#include "storage/chunk_buffers.h"

namespace spillway {

// Is shown every block that is written.
class BlockKeeper {
 public:
  virtual ~BlockKeeper() = default;
  virtual void keep(Bytes block) = 0;
};

class ChunkStore {
 public:
  // `chunk_bytes`: what a chunk should have, and never more unless one block has; `most_bytes`: what that has at most.
  // Chunks are held in memory as long as that leaves `reserve_bytes` of the budget to others.
  ChunkStore(Budget& budget, Disk& disk, std::size_t chunk_bytes, std::size_t most_bytes, std::uint64_t reserve_bytes);

  // What a chunk may have besides a block.
  static constexpr std::size_t kBesides = 8;

  Budget& budget() { return budget_; }
  std::size_t chunk_bytes() const { return chunk_bytes_; }
  ChunkPlaces& places() { return places_; }
  ChunkBuffers& buffers() { return buffers_; }
  const ChunkBuffers& buffers() const { return buffers_; }
  // From now on chunks leave so much to others.
  void leave(std::uint64_t reserve_bytes) { reserve_bytes_ = reserve_bytes; }
  // Nothing: the bytes should go to disk.
  ChunkMemory::Piece memory_for(std::size_t bytes) {
    if (buffers_.left() < ChunkMemory::taken(bytes) + reserve_bytes_) return {};
    return memory_.get(bytes);
  }

 private:
  Budget& budget_;
  const std::size_t chunk_bytes_;
  std::uint64_t reserve_bytes_;
  ChunkMemory memory_;
  ChunkPlaces places_;
  ChunkBuffers buffers_;
};

// Writes chunks.  One thread.
class ChunkWriter {
 public:
  explicit ChunkWriter(ChunkStore& store) : store_(store) {}
  ~ChunkWriter();

  // `to_disk`: even if there is memory.  The chunk can be read from disk after finish().  Errors of earlier writes are
  // thrown here and in finish().
  Chunk put(Bytes bytes, bool to_disk = false);
  void finish();

 private:
  // One is filled while the other is on its way.
  struct Slot {
    ChunkBuffers::Lent buffer;  // before the request, which may be reading from it
    Request request;
  };
  std::uint64_t next_place();

  ChunkStore& store_;
  std::array<Slot, 2> slots_;
  std::size_t slot_ = 0;
  ChunkPlaces::Range ahead_;  // places for the next chunks
};

}  // namespace spillway
