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

// Reads chunks in increasing order, from disk ahead of whoever looks at them if they say which is next.  One thread.
class ChunkReader {
 public:
  ChunkReader(const std::vector<Chunk>& chunks, Budget& budget) : chunks_(&chunks), budget_(&budget) {}
  ChunkReader(ChunkReader&&) noexcept = default;

  // Valid until the next call.
  Bytes get(std::size_t chunk) {
    const Chunk& wanted = (*chunks_)[chunk];
    return wanted.in_memory() ? wanted.bytes() : from_disk(chunk);
  }
  // This chunk, if there is one, will be the next: reading begins now, if there is memory for it.
  void expect(std::size_t chunk);

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Slot {
    Buffer buffer;  // before the request, which may be writing to it
    Request request;
    std::size_t chunk = kNone;
  };
  Bytes from_disk(std::size_t chunk);
  bool ask(Slot& slot, std::size_t chunk);

  const std::vector<Chunk>* chunks_;
  Budget* budget_;
  Slot now_, ahead_;
  std::size_t open_ = kNone;  // the chunk in now_, when it has come
  Bytes bytes_;               // of it
};

}  // namespace spillway
