// Runs the C compiler of the system as a child that does not outlive this process and takes no more than it may.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/private_folder.h"

namespace spillway {

// The first of cc, gcc and clang on the PATH.  Throws Error(system).
std::string find_compiler();

struct CompilerLimits {
  std::uint64_t memory_bytes;  // of each process; 0: no limit
  std::uint64_t cpu_seconds;   // likewise
};

struct Compiled {
  bool done = false;
  bool limited = false;  // it failed because of the limits
  std::string said;      // its first lines
};

// Runs a command in a folder, with nothing but PATH, a plain locale and TMPDIR in its environment.  All its processes
// are ended when a stop is requested, which throws Stopped, and when this process dies, however that happens.
Compiled run_compiler(const std::vector<std::string>& command, const PrivateFolder& folder,
                      const CompilerLimits& limits);

}  // namespace spillway
