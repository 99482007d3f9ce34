// A chunk: some packed blocks of a sorted run, in memory or on disk, or free.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>

#include "storage/runs/chunks/bytes.h"
#include "storage/runs/chunks/chunk_memory.h"
#include "storage/runs/chunks/chunk_places.h"
#include "storage/runs/chunks/paged.h"

namespace spillway {

class Chunk {
 public:
  // In memory: copies `bytes`.  REQUIRES: the piece has that size.
  Chunk(ChunkMemory::Piece piece, Bytes bytes) : size_(bytes.size()), bytes_(std::move(piece)) {
    std::copy(bytes.begin(), bytes.end(), std::get<ChunkMemory::Piece>(bytes_).get());
  }
  // On disk: the payload of the block written to `place`.
  Chunk(OwnPlace place, std::size_t size) : size_(size), bytes_(std::move(place)) {}
  Chunk(Chunk&&) noexcept = default;
  Chunk& operator=(Chunk&&) = delete;

  std::size_t size() const { return size_; }
  bool in_memory() const { return std::holds_alternative<ChunkMemory::Piece>(bytes_); }
  // REQUIRES: in_memory().
  Bytes bytes() const { return {std::get<ChunkMemory::Piece>(bytes_).get(), size_}; }
  // REQUIRES: not in_memory().
  const OwnPlace& place() const { return std::get<OwnPlace>(bytes_); }
  // Gives its place on disk back, or its memory.  It cannot be read afterwards.
  void free() { bytes_.emplace<std::monostate>(); }

 private:
  std::size_t size_;
  std::variant<ChunkMemory::Piece, OwnPlace, std::monostate> bytes_;
};

// The chunks of a run or of an archive.
using Chunks = Paged<Chunk, 16>;

}  // namespace spillway
