// What signals mean while a check goes on.
//
//   SIGINT, SIGTERM, SIGHUP   a stop is requested (base/stop_request.h).  The same again within a second is taken for
//                             one: terminals and tools send it to the process and to its group.  A later one ends the
//                             process at once, for the impatient.
//   SIGUSR1                   somebody wants to know what is going on.
//
// The handler notes, and wakes whoever waits here; nothing else happens in it.
#pragma once

#include <optional>

#include "base/stop_request.h"
#include "run/limits.h"

namespace spillway {

// While one of these lives, signals have this meaning.  One at a time.  What the caller has switched off, as shells do
// for jobs in the background, stays so.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  // Whether somebody wants to know what is going on; asked once.
  static bool status_wanted();
  // Returns when a signal has come, wake() was called, or the time is up.
  static void wait(double seconds);
  static void wake();
};

// Why a stop is requested, in the words of limits.
std::optional<Stop> requested_stop();

}  // namespace spillway
