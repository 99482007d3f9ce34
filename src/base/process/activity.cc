#include "base/process/activity.h"

#include <chrono>

namespace spillway {

ActivityWatch::ActivityWatch() : watched_(current_activity), thread_([this] { look(); }) {}

ActivityWatch::~ActivityWatch() { stop(); }

ActivitySeconds ActivityWatch::stop() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    end_.notify_one();
    thread_.join();
  }
  return seconds_;
}

// What is seen is taken to have lasted since the last look.
void ActivityWatch::look() {
  using Clock = std::chrono::steady_clock;
  auto last = Clock::now();
  std::unique_lock lock(mutex_);
  while (!ending_) {
    end_.wait_for(lock, std::chrono::milliseconds(1));
    const auto now = Clock::now();
    seconds_[static_cast<std::size_t>(watched_.load(std::memory_order_relaxed))] +=
        std::chrono::duration<double>(now - last).count();
    last = now;
  }
}

}  // namespace spillway
