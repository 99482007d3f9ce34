// Where chunks of sorted runs go: into memory while the budget has some left for them, to disk afterwards.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
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
  ChunkStore(Budget& budget, std::size_t chunk_bytes) : budget_(budget), chunk_bytes_(chunk_bytes) {}

  std::size_t chunk_bytes() const { return chunk_bytes_; }  // that a chunk should have at least, unless it is the last
  Chunk put(Bytes bytes);

 private:
  Budget& budget_;
  const std::size_t chunk_bytes_;
};

// Reads chunks in increasing order.  One thread.
class ChunkReader {
 public:
  explicit ChunkReader(const std::vector<Chunk>& chunks) : chunks_(&chunks) {}
  // Valid until the next call.
  Bytes get(std::size_t chunk) { return (*chunks_)[chunk].bytes(); }

 private:
  const std::vector<Chunk>* chunks_;
};

}  // namespace spillway
