// Ctrl-C and termination as something a search can ask about.
#pragma once

#include <optional>

#include "run/limits.h"

namespace spillway {

// While one of these lives, the first SIGINT or SIGTERM is remembered instead of ending the process; a
// second one ends it, for the impatient.  One at a time.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  static std::optional<Stop> received();
};

}  // namespace spillway
