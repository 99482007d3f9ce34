// A file as the rest of the program sees it: complete transfers, asynchronous, in sectors.
//
// Backends implement attempts: one system call, which may be interrupted or move only a part.
// Repeating attempts, counting and reporting errors is common to all backends, here and in
// transfer.cc.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "io/data/buffer.h"
#include "io/data/counters.h"
#include "io/data/transfer.h"

namespace spillway {

class File {
 public:
  File(std::string name, IoCounters& counters) : name_(std::move(name)), counters_(counters) {}
  virtual ~File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // Any thread.  Concurrent transfers end in any order; what a read sees of a write that has not
  // ended is undefined.  Errors are thrown by Request::wait().
  // REQUIRES: offset, address and length are multiples of kSector; the buffer lives until the
  // transfer has ended.
  Request read(std::uint64_t offset, std::span<std::byte> bytes);
  Request write(std::uint64_t offset, std::span<const std::byte> bytes);

  // Makes all writes that have been waited for durable.  If it fails, the state of those writes is
  // unknown and every later sync() fails as well.  Throws Error(system), or Error(disk) if there is
  // no room.
  void sync();

  std::uint64_t size();
  // Cuts the file off or extends it with zeros.  REQUIRES: `bytes` is a multiple of kSector, no
  // transfer is under way.
  void truncate(std::uint64_t bytes);

  const std::string& name() const { return name_; }  // as error messages show it
  IoCounters& counters() const { return counters_; }

 protected:
  friend class Transfer;    // calls attempt()
  friend class Request;     // calls await()
  friend class FaultyFile;  // wraps another file

  // One attempt at the rest of the transfer.  std::nullopt if it continues asynchronously, to be
  // awaited by await().  Otherwise a result for Transfer::absorb().
  virtual std::optional<std::int64_t> attempt(Transfer& transfer) = 0;
  // Returns when the transfer has finished.
  virtual void await(Transfer& transfer) = 0;
  // These return an error number, or 0.
  virtual int try_sync() = 0;
  virtual int try_size(std::uint64_t& bytes) = 0;
  virtual int try_truncate(std::uint64_t bytes) = 0;
  // Bytes of room left, after a write failed with error `number`; std::nullopt if room is not the
  // reason or not known.
  virtual std::optional<std::uint64_t> room_left(int /*number*/) const { return std::nullopt; }

 private:
  Request begin(Direction direction, std::uint64_t offset, std::byte* data, std::size_t size);

  const std::string name_;
  IoCounters& counters_;
  std::atomic<bool> sync_failed_{false};
};

}  // namespace spillway
