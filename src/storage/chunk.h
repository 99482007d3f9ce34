// Some packed blocks of a sorted run, in memory or on disk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "storage/block_file.h"
#include "storage/chunk_memory.h"

namespace spillway {

using Bytes = std::span<const std::uint8_t>;

class Chunk {
 public:
  // In memory: a copy of these bytes.  REQUIRES: the piece was made for so many.
  Chunk(ChunkMemory::Piece piece, Bytes bytes) : size_(bytes.size()), memory_(std::move(piece)) {
    std::copy(bytes.begin(), bytes.end(), memory_.get());
  }
  // On disk: the payload of a block of a file, which goes with the last chunk in it.
  Chunk(std::shared_ptr<const BlockFile> file, std::uint64_t block, std::size_t size)
      : size_(size), file_(std::move(file)), block_(block) {}
  Chunk(Chunk&&) noexcept = default;
  Chunk& operator=(Chunk&&) = delete;

  std::size_t size() const { return size_; }
  bool in_memory() const { return memory_ != nullptr; }
  Bytes bytes() const { return {memory_.get(), size_}; }  // REQUIRES: in_memory()
  const BlockFile& file() const { return *file_; }        // REQUIRES: not in_memory()
  std::uint64_t block() const { return block_; }

 private:
  std::size_t size_ = 0;
  ChunkMemory::Piece memory_;
  std::shared_ptr<const BlockFile> file_;
  std::uint64_t block_ = 0;
};

}  // namespace spillway
