// Some packed blocks of a sorted run, in memory or on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "base/budget.h"

namespace spillway {

using Bytes = std::span<const std::uint8_t>;

class Chunk {
 public:
  Chunk() = default;
  Chunk(Chunk&& other) noexcept { swap(other); }
  Chunk& operator=(Chunk&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Chunk() {
    if (memory_) budget_->give_back(size_);
  }

  // In memory.  False: the budget refuses, and nothing is held.
  static bool hold(Budget& budget, Bytes bytes, Chunk& chunk) {
    if (!budget.draw(bytes.size())) return false;
    Chunk made;
    made.budget_ = &budget;
    made.size_ = bytes.size();
    made.memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), made.memory_.get());
    chunk = std::move(made);
    return true;
  }

  // On disk, as block number `block` of the run's file.
  static Chunk on_disk(std::uint64_t block, std::size_t size) {
    Chunk chunk;
    chunk.block_ = block;
    chunk.size_ = size;
    return chunk;
  }

  std::size_t size() const { return size_; }
  bool in_memory() const { return memory_ != nullptr; }
  Bytes bytes() const { return {memory_.get(), size_}; }  // REQUIRES: in_memory()
  std::uint64_t block() const { return block_; }          // REQUIRES: not in_memory()

 private:
  void swap(Chunk& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(block_, other.block_);
  }

  Budget* budget_ = nullptr;
  std::unique_ptr<std::uint8_t[]> memory_;
  std::size_t size_ = 0;
  std::uint64_t block_ = 0;
};

}  // namespace spillway
