// Storage for chunks of sorted runs: memory while the budget has enough left, then disk.
#pragma once

#include <array>
#include <cstdint>

#include "base/memory/budget.h"
#include "storage/runs/chunks/chunk.h"
#include "storage/runs/chunks/chunk_buffers.h"

namespace spillway {

// Receives every block that is written.
class BlockKeeper {
 public:
  virtual ~BlockKeeper() = default;
  virtual void keep(Bytes block) = 0;
};

class ChunkStore {
 public:
  // `chunk_bytes`: size of a chunk, exceeded only by a chunk of one larger block.  `most_bytes`:
  // the largest block.  Chunks are held in memory as long as `reserve_bytes` of the budget remain
  // for others.
  ChunkStore(Budget& budget, Disk& disk, std::size_t chunk_bytes, std::size_t most_bytes,
             std::uint64_t reserve_bytes);

  // The most a chunk of one block has besides the block.
  static constexpr std::size_t kBesides = 8;

  Budget& budget() { return budget_; }
  std::size_t chunk_bytes() const { return chunk_bytes_; }
  ChunkPlaces& places() { return places_; }
  ChunkBuffers& buffers() { return buffers_; }
  const ChunkBuffers& buffers() const { return buffers_; }
  // Changes the reserve.
  void leave(std::uint64_t reserve_bytes) { reserve_bytes_ = reserve_bytes; }
  // nullptr if the bytes should go to disk.
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

  // `to_disk`: even if there is memory.  A chunk on disk can be read after finish().  Errors of
  // earlier writes are thrown here and in finish().
  Chunk put(Bytes bytes, bool to_disk = false);
  void finish();

 private:
  // One is filled while the other is written.
  struct Slot {
    ChunkBuffers::Lent buffer;  // before `request`, which may be reading it
    Request request;
  };
  std::uint64_t next_place();

  ChunkStore& store_;
  std::array<Slot, 2> slots_;
  std::size_t slot_ = 0;
  ChunkPlaces::Range ahead_;  // places for the next chunks
};

}  // namespace spillway
