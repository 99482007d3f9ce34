// Some packed blocks of a sorted run, in memory or on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/budget.h"
#include "storage/block_file.h"

namespace spillway {

using Bytes = std::span<const std::uint8_t>;

class Chunk {
 public:
  // In memory.  REQUIRES: bytes.size() were drawn from the budget, to which they are given back.
  Chunk(Budget& budget, Bytes bytes)
      : budget_(&budget), size_(bytes.size()), memory_(std::make_unique_for_overwrite<std::uint8_t[]>(size_)) {
    std::copy(bytes.begin(), bytes.end(), memory_.get());
  }
  // On disk: the payload of a block of a file, which goes with the last chunk in it.
  Chunk(std::shared_ptr<const BlockFile> file, std::uint64_t block, std::size_t size)
      : size_(size), file_(std::move(file)), block_(block) {}
  Chunk(Chunk&&) noexcept = default;
  Chunk& operator=(Chunk&&) = delete;
  ~Chunk() {
    if (memory_) budget_->give_back(size_);
  }

  std::size_t size() const { return size_; }
  bool in_memory() const { return memory_ != nullptr; }
  Bytes bytes() const { return {memory_.get(), size_}; }  // REQUIRES: in_memory()
  const BlockFile& file() const { return *file_; }        // REQUIRES: not in_memory()
  std::uint64_t block() const { return block_; }

 private:
  Budget* budget_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<std::uint8_t[]> memory_;
  std::shared_ptr<const BlockFile> file_;
  std::uint64_t block_ = 0;
};

}  // namespace spillway
