// A pool of buffers for chunks on their way to and from disk.
//
// Every part of a merge needs some for each run.  Mapping and unmapping them each time took a
// twentieth of the time of small searches, because unmapping interrupts all threads.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/data/buffer.h"

namespace spillway {

class ChunkBuffers final : public Spare {
 public:
  // `bytes`: size of each buffer.
  ChunkBuffers(Budget& budget, std::size_t bytes)
      : budget_(budget), bytes_(round_up_to_sector(bytes)) {
    budget_.may_ask(*this);
  }
  ~ChunkBuffers() override { budget_.drop(*this); }
  ChunkBuffers(const ChunkBuffers&) = delete;
  ChunkBuffers& operator=(const ChunkBuffers&) = delete;

  // A buffer that returns to the pool on destruction.  False if empty.
  class Lent {
   public:
    Lent() = default;
    Lent(Lent&& other) noexcept
        : from_(std::exchange(other.from_, nullptr)), buffer_(std::move(other.buffer_)) {}
    Lent& operator=(Lent&& other) noexcept {
      std::swap(from_, other.from_);
      std::swap(buffer_, other.buffer_);
      return *this;
    }
    ~Lent() {
      if (from_ != nullptr) from_->give_back(std::move(buffer_));
    }
    explicit operator bool() const { return from_ != nullptr; }
    std::span<std::byte> all() const { return buffer_.all(); }

   private:
    friend class ChunkBuffers;
    Lent(ChunkBuffers& from, Buffer buffer) : from_(&from), buffer_(std::move(buffer)) {}

    ChunkBuffers* from_ = nullptr;
    Buffer buffer_;
  };

  // Empty if the budget or the system refuses.  REQUIRES: all buffers are returned before the pool
  // ends.  Any thread.
  Lent get();
  // Same, but throws Error(usage) if refused; `purpose` is the subject of the message.
  Lent need(std::string_view purpose);

  std::size_t bytes() const { return bytes_; }
  // Bytes left in the budget, plus idle buffers.
  std::uint64_t left() const {
    return budget_.left() + spare_bytes_.load(std::memory_order_relaxed);
  }
  // Returns idle buffers to the budget.
  void free_spare() override;
  Budget& budget() { return budget_; }

 private:
  std::optional<Buffer> take_spare();
  void give_back(Buffer buffer);

  Budget& budget_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::vector<Buffer> spare_;
  std::atomic<std::uint64_t> spare_bytes_{0};
};

}  // namespace spillway
