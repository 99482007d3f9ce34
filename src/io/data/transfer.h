// A read or write under way.  Interrupted and partial attempts are resumed here and nowhere else.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace spillway {

class File;

enum class Direction { read, write };

class Transfer {
 public:
  Transfer(File& file, Direction direction, std::uint64_t offset, std::byte* data, std::size_t size)
      : file_(file), direction_(direction), offset_(offset), data_(data), size_(size) {}

  Direction direction() const { return direction_; }
  // The rest of the transfer: an attempt moves these bytes or a prefix of them.
  std::uint64_t position() const { return offset_ + done_; }
  std::byte* data() const { return data_ + done_; }
  std::size_t size() const { return size_ - done_; }

  // Takes the result of an attempt: the number of bytes moved, or the negated error number.  True
  // if the transfer is over, by success or by failure.
  bool absorb(std::int64_t result);

  // Makes attempts until the transfer is over or continues asynchronously.
  void go();

  // The last access by whoever carries out the transfer: the waiter may destroy it right after.
  void finish() { finished_.store(true, std::memory_order_release); }
  bool finished() const { return finished_.load(std::memory_order_acquire); }

  int error() const { return error_; }
  void throw_error() const;  // if there was one
  File& file() const { return file_; }

  int descriptor = -1;   // set for the engine
  unsigned channel = 0;  // set by the engine

 private:
  bool stalls(int reason);

  File& file_;
  const Direction direction_;
  const std::uint64_t offset_;
  std::byte* const data_;
  const std::size_t size_;
  std::size_t done_ = 0;
  int stalled_ = 0;  // attempts in a row without progress
  int error_ = 0;
  std::atomic<bool> finished_{false};
};

// Handle of a transfer.  REQUIRES: buffer and file outlive it.
class Request {
 public:
  Request() = default;  // nothing to wait for
  explicit Request(std::unique_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
  Request(Request&&) noexcept = default;
  Request& operator=(Request&& other) noexcept;
  ~Request() { end(); }

  // Returns when all bytes have been moved; the handle is empty then.  Throws Error(system),
  // Error(disk) if there is no room, or Error(integrity) if a read goes past the end of the file.
  void wait();

  // True if wait() would not block.
  bool ready() const { return !transfer_ || transfer_->finished(); }

 private:
  // Waits and discards the error, where nobody can handle it.
  void end() noexcept;

  std::unique_ptr<Transfer> transfer_;
};

}  // namespace spillway
