// Signal handling during a check.
//
//   SIGINT, SIGTERM, SIGHUP  request a stop (base/process/stop_request.h).  Another of them within
//                            a second
//                            counts as the same one: terminals and tools signal both the process
//                            and its group.  A later one ends the process at once.
//   SIGUSR1                  requests a status report.
//
// The handler only records the signal and wakes the thread in wait().
#pragma once

#include <optional>

#include "base/process/stop_request.h"
#include "check/facts/limits.h"

namespace spillway {

// Installs these handlers while it lives.  One at a time.  Signals that were ignored, as shells do
// for background jobs, stay ignored.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // True if a status report was requested since the last call.
  static bool status_wanted();
  // Returns when a signal has arrived, wake() was called, or the time is up.
  static void wait(double seconds);
  static void wake();
};

std::optional<Stop> stop_of(StopReason reason);
// The stop request of the process, if any, as a Stop.
std::optional<Stop> requested_stop();

}  // namespace spillway
