// Where chunks of sorted runs go: into memory while the budget has enough left, to disk afterwards.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "io/disk.h"
#include "storage/block_writer.h"
#include "storage/chunk.h"

namespace spillway {

// Is shown every block that is written.
class BlockKeeper {
 public:
  virtual ~BlockKeeper() = default;
  virtual void keep(Bytes block) = 0;
};

class ChunkStore {
 public:
  // `chunk_bytes`: what a chunk should have, and never more unless one block has; `most_bytes`: what it has at most.
  // Chunks are held in memory as long as that leaves `reserve_bytes` of the budget to others.
  ChunkStore(Budget& budget, Disk& disk, std::size_t chunk_bytes, std::size_t most_bytes, std::uint64_t reserve_bytes);

  Budget& budget() { return budget_; }
  Disk& disk() { return disk_; }
  std::size_t chunk_bytes() const { return chunk_bytes_; }
  const BlockFormat& format() const { return format_; }
  // Nothing: the bytes should go to disk.
  ChunkMemory::Piece memory_for(std::size_t bytes) {
    if (budget_.left() < ChunkMemory::taken(bytes) + reserve_bytes_) return {};
    return memory_.get(bytes);
  }
  // A file that nobody else has.  Any thread.
  std::shared_ptr<BlockFile> new_file();

 private:
  Budget& budget_;
  Disk& disk_;
  const std::size_t chunk_bytes_;
  const std::uint64_t reserve_bytes_;
  BlockFormat format_;
  ChunkMemory memory_;
  std::atomic<std::uint64_t> files_{0};
};

// Writes chunks; those that go to disk, into a file of its own.  One thread.
class ChunkWriter {
 public:
  explicit ChunkWriter(ChunkStore& store) : store_(store) {}

  // The chunk can be read from disk after finish().
  Chunk put(Bytes bytes);
  void finish();

 private:
  ChunkStore& store_;
  std::shared_ptr<BlockFile> file_;
  std::optional<BlockWriter> writer_;
};

}  // namespace spillway
