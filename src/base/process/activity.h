// The activity of a thread, for reports of where the time goes.
//
// The thread stores a byte; another thread samples it a thousand times a second.  A change of
// activity costs about a nanosecond, and the result is accurate enough for searches that take
// seconds.
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

inline constexpr std::array<std::string_view, 6> kActivities = {
    "other", "generation", "duplicate detection", "insertion", "queues", "waiting for the disk"};
using ActivitySeconds = std::array<double, kActivities.size()>;

inline constinit thread_local std::atomic<Activity> current_activity{Activity::other};

// Marks this thread as doing `activity` until the end of the scope.
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

// Samples the activity of the thread that constructs it.  REQUIRES: that thread outlives it.
class ActivityWatch {
 public:
  ActivityWatch();
  ~ActivityWatch();
  ActivityWatch(const ActivityWatch&) = delete;
  ActivityWatch& operator=(const ActivityWatch&) = delete;

  // Ends the sampling and returns the seconds spent on each activity.
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
