// One read or write under way, and the one place where interrupted and partial attempts are taken up again.
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
  // What is still to be done: an attempt moves these bytes, or some of the first of them.
  std::uint64_t position() const { return offset_ + done_; }
  std::byte* data() const { return data_ + done_; }
  std::size_t size() const { return size_ - done_; }

  // Takes in what an attempt has returned: the number of bytes moved, or minus the error number.
  // True: nothing remains to be attempted, well or badly.
  bool absorb(std::int64_t result);

  // Attempts until nothing remains or the rest goes on without the caller.
  void go();

  // The last thing that is done to a transfer by whoever has it in hand: the waiter may destroy it.
  void finish() { finished_.store(true, std::memory_order_release); }
  bool finished() const { return finished_.load(std::memory_order_acquire); }

  int error() const { return error_; }
  void throw_error() const;  // if there is one
  File& file() const { return file_; }

  int descriptor = -1;   // for the engine
  unsigned channel = 0;  // likewise

 private:
  bool stalls(int reason);

  File& file_;
  const Direction direction_;
  const std::uint64_t offset_;
  std::byte* const data_;
  const std::size_t size_;
  std::size_t done_ = 0;
  int stalled_ = 0;  // attempts in a row that brought nothing
  int error_ = 0;
  std::atomic<bool> finished_{false};
};

// A handle of a transfer.  Buffer and file must outlive it.
class Request {
 public:
  Request() = default;  // nothing to wait for
  explicit Request(std::unique_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}
  Request(Request&&) noexcept = default;
  Request& operator=(Request&& other) noexcept;
  ~Request() { end(); }

  // Returns when all bytes have been moved; throws Error(system), or Error(integrity) when a read goes
  // past the end of the file.  Afterwards there is nothing to wait for.
  void wait();

  // Nothing under way: wait() would not block.
  bool ready() const { return !transfer_ || transfer_->finished(); }

 private:
  // Waits and forgets the error: for ways out on which nobody wants it any more.
  void end() noexcept;

  std::unique_ptr<Transfer> transfer_;
};

}  // namespace spillway
