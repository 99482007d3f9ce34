// Memory for chunks on their way to and from disk, lent and lent again.
//
// Every part of a merge needs some for each run.  Asking the system for them each time, and giving them back, took a
// twentieth of the time of small searches: all threads have to be told which pages are gone.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "io/buffer.h"

namespace spillway {

class ChunkBuffers final : public Spare {
 public:
  // `bytes`: of each.
  ChunkBuffers(Budget& budget, std::size_t bytes) : budget_(budget), bytes_(round_up_to_sector(bytes)) {
    budget_.may_ask(*this);
  }
  ~ChunkBuffers() override { budget_.drop(*this); }
  ChunkBuffers(const ChunkBuffers&) = delete;
  ChunkBuffers& operator=(const ChunkBuffers&) = delete;

  // Goes back when it ends.  False: nothing.
  class Lent {
   public:
    Lent() = default;
    Lent(Lent&& other) noexcept : from_(std::exchange(other.from_, nullptr)), buffer_(std::move(other.buffer_)) {}
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

  // Nothing when the budget or the system refuses.  All must have gone back before this ends.  Any thread.
  Lent get();
  // The same, but a refusal throws Error(usage); `purpose` tells the reader what the memory is for.
  Lent need(std::string_view purpose);

  std::size_t bytes() const { return bytes_; }
  // Of the budget, with what is not lent now.
  std::uint64_t left() const { return budget_.left() + spare_bytes_.load(std::memory_order_relaxed); }
  // What is not lent goes back to the budget.
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
