// A file as the rest of the program sees it: whole transfers, asynchronous, in sectors.
//
// Backends implement attempts: what one system call does, which may be interrupted or move only a part.
// Repeating attempts, counting and telling errors is done here and in transfer.cc, for all of them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/buffer.h"
#include "io/counters.h"
#include "io/transfer.h"

namespace spillway {

class File {
 public:
  File(std::string name, IoCounters& counters) : name_(std::move(name)), counters_(counters) {}
  virtual ~File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Any thread.  Transfers under way at the same time end in any order; what a read sees of a write
  // that has not ended is undefined.  Errors are thrown by Request::wait().
  // REQUIRES: offset, address and length are multiples of kSector; the buffer lives until the end.
  Request read(std::uint64_t offset, std::span<std::byte> bytes);
  Request write(std::uint64_t offset, std::span<const std::byte> bytes);

  // What was written and waited for survives a loss of power when this returns.  When it fails, nothing is
  // known about what was written, and every later sync() fails as well.  Throws Error(system).
  void sync();

  std::uint64_t size();
  // Cuts off or fills with zeros.  REQUIRES: a multiple of kSector, no transfer under way.
  void truncate(std::uint64_t bytes);

  const std::string& name() const { return name_; }  // as errors tell it
  IoCounters& counters() const { return counters_; }

 protected:
  friend class Transfer;    // attempts
  friend class Request;     // awaits
  friend class FaultyFile;  // gets between

  // One attempt at what is still to be done.  Nothing: it goes on without the caller, who finds the end
  // by await().  Otherwise as Transfer::absorb() wants it.
  virtual std::optional<std::int64_t> attempt(Transfer& transfer) = 0;
  // Returns when the transfer has finished.
  virtual void await(Transfer& transfer) = 0;
  // These return an error number, or 0.
  virtual int try_sync() = 0;
  virtual int try_size(std::uint64_t& bytes) = 0;
  virtual int try_truncate(std::uint64_t bytes) = 0;
  // Bytes that there is room for, after a write was refused with this error number; nothing: that is not the reason.
  virtual std::optional<std::uint64_t> room_left(int /*number*/) const { return std::nullopt; }

 private:
  Request begin(Direction direction, std::uint64_t offset, std::byte* data, std::size_t size);

  const std::string name_;
  IoCounters& counters_;
  std::atomic<bool> sync_failed_{false};
};

}  // namespace spillway
