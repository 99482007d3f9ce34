// Wraps any disk and makes the n-th operation fail, for tests.
//
// An operation is one attempt at a transfer, or one create, open, remove, rename, sync or truncate.
// Operations are numbered from 0 in the order in which they begin, so with one thread a number
// always denotes the same operation.  Transfers complete synchronously.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "io/disk.h"

namespace spillway {

enum class Trouble {
  io_error,         // any operation: EIO
  no_space,         // writes and creations: half is written, then ENOSPC for good
  interrupted,      // any operation: EINTR
  short_transfer,   // transfers: only some bytes are moved
  flipped_bit,      // transfers: all bytes are moved, one bit is wrong; no error
  torn_write,       // writes: only the first half is written; no error
  dropped_write,    // writes: nothing is written; no error
  misplaced_write,  // writes: all bytes go one transfer before or after their place; no error
  death,            // any operation: the process is killed before it
};

struct FaultPlan {
  Trouble trouble = Trouble::io_error;
  std::uint64_t at = std::numeric_limits<std::uint64_t>::max();  // number of the operation
  bool from_then_on = false;                                     // and all later ones
  std::uint64_t choice = 0;                                      // which bit; how many bytes
};

class FaultyDisk final : public Disk {
 public:
  explicit FaultyDisk(Disk& disk) : disk_(disk) {}

  void set(FaultPlan plan) { plan_ = plan; }
  std::uint64_t operations() const { return next_; }
  // True if the plan has caused a fault.  A test whose plan never strikes proves nothing.
  bool struck() const { return struck_; }

  std::vector<std::string> list() override { return disk_.list(); }
  std::string describe() const override { return "faulty " + disk_.describe(); }

 protected:
  int try_create(const std::string& name, std::unique_ptr<File>& file) override;
  int try_open(const std::string& name, std::unique_ptr<File>& file) override;
  int try_remove(const std::string& name) override;
  int try_rename(const std::string& from, const std::string& to) override;
  int try_sync_directory() override;
  std::string full_name(const std::string& name) const override { return disk_.full_name(name); }

 private:
  friend class FaultyFile;

  bool strikes();  // counts an operation
  int refusal(bool takes_space);

  Disk& disk_;
  FaultPlan plan_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> struck_{false};
  std::atomic<bool> full_{false};
};

}  // namespace spillway
