// Runs the system's C compiler as a child process, with limits, that does not outlive this process.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/private_folder.h"

namespace spillway {

// The first of cc, gcc and clang on the PATH.  Throws Error(system).
std::string find_compiler();

struct CompilerLimits {
  std::uint64_t memory_bytes;  // per process; 0: no limit
  std::uint64_t cpu_seconds;   // per process; 0: no limit
};

struct Compiled {
  bool done = false;
  bool limited = false;  // failed because of the limits
  std::string said;      // its first lines of output
};

// Runs a command in a folder, with only PATH, a plain locale and TMPDIR in its environment.  All
// its processes are killed when a stop is requested, which throws Stopped, and when this process
// dies, for any reason.
Compiled run_compiler(const std::vector<std::string>& command, const PrivateFolder& folder,
                      const CompilerLimits& limits);

}  // namespace spillway
