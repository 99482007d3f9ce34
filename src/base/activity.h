// What a thread is doing, so that somebody can tell where the time goes.
//
// The thread says so by storing a byte; another thread looks at it a thousand times a second.  That costs a nanosecond
// where it is said, however often, and is exact enough for searches that take seconds.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <thread>

namespace spillway {

enum class Activity : std::uint8_t { other, generation, detection, insertion, queues, waiting };

inline constexpr std::array<std::string_view, 6> kActivities = {"other",     "generation", "duplicate detection",
                                                                "insertion", "queues",     "waiting for the disk"};
using ActivitySeconds = std::array<double, kActivities.size()>;

inline constinit thread_local std::atomic<Activity> current_activity{Activity::other};

// This thread does so from here to the end of the block.
class Doing {
 public:
  explicit Doing(Activity activity) : before_(current_activity.load(std::memory_order_relaxed)) {
    current_activity.store(activity, std::memory_order_relaxed);
  }
  ~Doing() { current_activity.store(before_, std::memory_order_relaxed); }
  Doing(const Doing&) = delete;
  Doing& operator=(const Doing&) = delete;

 private:
  const Activity before_;
};

// Looks at what the thread that made it is doing.  REQUIRES: that thread lives longer.
class ActivityWatch {
 public:
  ActivityWatch();
  ~ActivityWatch();
  ActivityWatch(const ActivityWatch&) = delete;
  ActivityWatch& operator=(const ActivityWatch&) = delete;

  // Ends it.
  ActivitySeconds stop();

 private:
  void look();

  const std::atomic<Activity>& watched_;
  ActivitySeconds seconds_{};
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace spillway
