// Some packed blocks of a sorted run, in memory or on disk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "storage/chunk_memory.h"
#include "storage/chunk_places.h"

namespace spillway {

using Bytes = std::span<const std::uint8_t>;

class Chunk {
 public:
  // In memory: a copy of these bytes.  REQUIRES: the piece was made for so many.
  Chunk(ChunkMemory::Piece piece, Bytes bytes) : size_(bytes.size()), memory_(std::move(piece)) {
    std::copy(bytes.begin(), bytes.end(), memory_.get());
  }
  // On disk: the payload of the block that was written there.
  Chunk(OwnPlace place, std::size_t size) : size_(size), place_(std::move(place)) {}
  Chunk(Chunk&&) noexcept = default;
  Chunk& operator=(Chunk&&) = delete;

  std::size_t size() const { return size_; }
  bool in_memory() const { return memory_ != nullptr; }
  Bytes bytes() const { return {memory_.get(), size_}; }  // REQUIRES: in_memory()
  const OwnPlace& place() const { return place_; }        // REQUIRES: not in_memory()

 private:
  std::size_t size_ = 0;
  ChunkMemory::Piece memory_;
  OwnPlace place_;
};

}  // namespace spillway
