// The memory of one run.  Every table, pool and buffer whose size grows with the number of states draws
// from it; what is refused is not allocated, so a run stays inside its budget or says that it cannot.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace spillway {

// Holds memory at hand that it can do without.
class Spare {
 public:
  virtual ~Spare() = default;
  // Gives it back to the budget.  Any thread.
  virtual void free_spare() = 0;
};

class Budget {
 public:
  explicit Budget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}
  // A part of another budget, from which it draws.
  Budget(Budget& whole, std::uint64_t limit_bytes) : limit_(limit_bytes), whole_(&whole) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // False: refused, nothing was drawn.  Before it refuses, it asks for what others can spare.  Any thread.
  [[nodiscard]] bool draw(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);

  // This one can be asked, from now on until it is dropped.
  void may_ask(Spare& spare);
  void drop(Spare& spare);

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  std::uint64_t left() const { return limit_ - used(); }

 private:
  bool draw_now(std::uint64_t bytes);
  bool ask_for_spare();

  const std::uint64_t limit_;
  Budget* const whole_ = nullptr;
  std::mutex mutex_;  // of who can be asked
  std::vector<Spare*> spare_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
};

}  // namespace spillway
