// Runs a C compiler of the system as a child process, with limits, that does not outlive this
// process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/process/descriptor.h"
#include "base/process/private_folder.h"

namespace spillway {

// The optimizing C compiler, as the first words of a command: what $CC names, which may have
// arguments ("ccache gcc"), or else the first of cc, gcc and clang on the PATH.  Empty if there is
// none.  `warn` is told if $CC cannot be found; it may be empty.
std::vector<std::string> find_compiler(const std::function<void(const std::string&)>& warn = {});
// tcc, which compiles in milliseconds and does not optimize.  Empty if there is none.
std::vector<std::string> find_quick_compiler();
// True if a command runs tcc, which knows few of the options of other compilers.
bool is_quick(const std::vector<std::string>& command);

struct CompilerLimits {
  std::uint64_t memory_bytes;  // per process; 0: no limit
  std::uint64_t cpu_seconds;   // per process; 0: no limit
};

struct Compiled {
  bool done = false;
  bool limited = false;  // failed because of the limits
  std::string said;      // its first lines of output
};

// A command in a folder, with only PATH, a plain locale and TMPDIR in its environment.  All its
// processes are killed when the object is destroyed, and when this process dies, for any reason.
class CompilerProcess {
 public:
  // Starts it, after a delay if there is one.  REQUIRES: the folder outlives it, and so does the
  // calling thread: the kernel takes the end of that for the end of the process.  Throws
  // Error(system).
  CompilerProcess(const std::vector<std::string>& command, const PrivateFolder& folder,
                  const CompilerLimits& limits, unsigned delay_milliseconds = 0);
  ~CompilerProcess();
  CompilerProcess(const CompilerProcess&) = delete;
  CompilerProcess& operator=(const CompilerProcess&) = delete;

  static constexpr double kForever = std::numeric_limits<double>::infinity();
  // Waits for its end, at most so long.  True if it has ended.  Throws Stopped.
  bool wait(double seconds);
  // REQUIRES: it has ended.
  Compiled outcome() const;

 private:
  bool has_ended();
  void pause(double seconds) const;
  void end();

  const PrivateFolder& folder_;
  pid_t leader_ = -1;
  Descriptor descriptor_;  // of the leader; closed where the kernel has none
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace spillway
