// Faults for tests: what goes wrong at the n-th operation on files.
//
// Operations are numbered from 0 in the order in which they begin, so with one thread a number
// always denotes the same operation.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

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

// Counts the operations of all disks and directories that share it, and strikes as planned.
class Faults {
 public:
  // A disk that was full has room again.
  void set(FaultPlan plan) {
    plan_ = plan;
    full_ = false;
  }
  const FaultPlan& plan() const { return plan_; }
  std::uint64_t operations() const { return next_; }
  // True if the plan has caused a fault.  A test whose plan never strikes proves nothing.
  bool struck() const { return struck_; }

  // Counts an operation.  True if something goes wrong with it.
  bool strikes();
  // Counts an operation that is no transfer.  The error number that it ends with, or 0.
  int refusal(bool takes_space);

  // After no_space has struck.
  bool full() const { return full_; }
  void fill_up() { full_ = true; }

 private:
  FaultPlan plan_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> struck_{false};
  std::atomic<bool> full_{false};
};

}  // namespace spillway
