// The memory budget of one run.  Every table, pool and buffer whose size grows with the number of
// states draws from it.  A refused request is not allocated, so a run stays within its budget or
// reports that it cannot.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace spillway {

// Owns memory that it can free on request.
class Spare {
 public:
  virtual ~Spare() = default;
  // Returns the spare memory to the budget.  Any thread.
  virtual void free_spare() = 0;
};

class Budget {
 public:
  explicit Budget(std::uint64_t limit_bytes) : limit_(limit_bytes) {}
  // A budget within another one: every byte is drawn from both.
  Budget(Budget& whole, std::uint64_t limit_bytes) : limit_(limit_bytes), whole_(&whole) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // False if refused; nothing is drawn then.  Before refusing, asks every registered Spare to free
  // its memory.  Any thread.
  [[nodiscard]] bool draw(std::uint64_t bytes);
  void give_back(std::uint64_t bytes);

  // Registers `spare` until it is dropped.  REQUIRES: it lives until then.
  void may_ask(Spare& spare);
  void drop(Spare& spare);

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t peak() const { return peak_.load(std::memory_order_relaxed); }
  std::uint64_t left() const {
    const std::uint64_t own = limit_ - used();
    return whole_ == nullptr ? own : std::min(own, whole_->left());
  }

 private:
  bool draw_now(std::uint64_t bytes);
  bool ask_for_spare();

  const std::uint64_t limit_;
  Budget* const whole_ = nullptr;
  std::mutex mutex_;  // guards spare_
  std::vector<Spare*> spare_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> peak_{0};
};

// Throws Error(usage): `purpose` needs `bytes`, which the budget has refused.
[[noreturn]] void refuse_memory(const Budget& budget, std::uint64_t bytes,
                                std::string_view purpose);

}  // namespace spillway
