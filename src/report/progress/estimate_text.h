// The text of `spillway estimate`: how large a search would be, from the beginning of it.
#pragma once

#include <cstdint>
#include <string>

#include "report/progress/forecast.h"

namespace spillway {

// What the beginning has shown.
struct Beginning {
  LevelSizes levels;  // the last one may not be expanded yet
  double seconds = 0;
  std::uint64_t expanded = 0;
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0;  // of the search
  std::uint64_t kept_bytes = 0;                            // that --run-dir would have on disk
  std::string command;                                     // that searches all of it
};

// If the search was complete.
std::string complete_text(const Beginning& beginning);
// If it was not.  `known` is set to whether anything could be foretold.
std::string estimate_text(const Beginning& beginning, bool& known);

}  // namespace spillway
