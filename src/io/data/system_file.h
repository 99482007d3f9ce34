// A file of the operating system.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "io/data/engine.h"
#include "io/data/file.h"
#include "io/data/room_claim.h"
#include "io/descriptor.h"

namespace spillway {

// State shared by all open handles of a file.
//
// Space is allocated ahead of the writes, in steps that grow with the file.  A full disk is thus
// noticed early, and file systems run writes in parallel only if they do not move the end of the
// file.  So until sync() or the last close, the file can be longer than what was written.
class Inode {
 public:
  Inode(Descriptor descriptor, std::uint64_t size, std::shared_ptr<RoomClaim> claim)
      : descriptor_(std::move(descriptor)),
        size_(size),
        allocated_(size),
        claim_(std::move(claim)) {}
  ~Inode() { trim(); }  // best effort: callers that depend on it call sync()

  int descriptor() const { return descriptor_.number(); }
  // End of the data that was written or is being written.
  std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }

  // These return an error number, or 0.
  int reserve(std::uint64_t end);  // before a write that ends here
  int trim();                      // frees what was allocated and not written
  int truncate(std::uint64_t bytes);

  // The room left for a write that failed with error `number`; std::nullopt if not known.
  std::optional<std::uint64_t> room_left(int number) const;

 private:
  int allocate(std::uint64_t to);

  const Descriptor descriptor_;
  std::atomic<std::uint64_t> size_;
  std::atomic<std::uint64_t> allocated_;
  bool excess_ = false;  // the file may be longer than allocated_
  std::mutex growing_;
  const std::shared_ptr<RoomClaim> claim_;  // covers what is allocated
};

class SystemFile final : public File {
 public:
  SystemFile(std::string name, IoCounters& counters, std::shared_ptr<Inode> inode, Engine& engine)
      : File(std::move(name), counters), inode_(std::move(inode)), engine_(engine) {}

 protected:
  std::optional<std::int64_t> attempt(Transfer& transfer) override;
  void await(Transfer& transfer) override { engine_.await(transfer); }
  int try_sync() override;
  int try_size(std::uint64_t& bytes) override;
  int try_truncate(std::uint64_t bytes) override { return inode_->truncate(bytes); }
  std::optional<std::uint64_t> room_left(int number) const override {
    return inode_->room_left(number);
  }

 private:
  std::shared_ptr<Inode> inode_;
  Engine& engine_;
};

}  // namespace spillway
