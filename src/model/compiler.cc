#include "model/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/printable.h"
#include "base/stop_request.h"

namespace spillway {
namespace {

constexpr const char* kSaid = "said.txt";
constexpr int kLookMilliseconds = 100;
constexpr int kNotStarted = 127;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Fault::system, fmt::format("{}: {}", printable(what), std::strerror(error)));
}

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

// The first program of this name on the PATH.
std::string find_program(const std::string& name) {
  std::stringstream folders(search_path());
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program =
        std::filesystem::absolute((folder.empty() ? "." : folder) + "/" + name).string();
    if (access(program.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(program))
      return program;
  }
  return "";
}

// Everything that the child needs.  It is made before fork(), because the child must not allocate.
struct Command {
  std::vector<char*> argv;
  std::array<std::string, 3> variables;
  std::array<char*, 4> environment{};
  const int folder;

  Command(const std::vector<std::string>& arguments, int where)
      : variables{"PATH=" + search_path(), "LC_ALL=C", "TMPDIR=."}, folder(where) {
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    for (std::size_t i = 0; i < variables.size(); ++i) environment[i] = variables[i].data();
  }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
};

void limit(int what, std::uint64_t most) {
  struct rlimit now {};
  if (most == 0 || getrlimit(what, &now) != 0) return;
  now.rlim_cur = std::min<rlim_t>(most, now.rlim_max);
  now.rlim_max = now.rlim_cur;
  setrlimit(what, &now);
}

// The limits are set after fork(): a process that has much memory mapped could not start the
// compiler under them.
[[noreturn]] void become(const Command& command, const CompilerLimits& limits) {
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_CORE, 1);
  if (fchdir(command.folder) != 0) _exit(kNotStarted);
  const int nothing = open("/dev/null", O_RDONLY);
  const int said = open(kSaid, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (dup2(nothing, 0) < 0 || dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(kNotStarted);
  execve(command.argv[0], command.argv.data(), command.environment.data());
  _exit(kNotStarted);
}

void end_group(int /*signal*/) { kill(0, SIGKILL); }

// The child leads the process group of the compiler, and ends all of it when the parent dies.  The
// kernel signals that to the child only, not to the processes that the compiler starts.
[[noreturn]] void lead(const Command& command, const CompilerLimits& limits, pid_t parent) {
  if (setpgid(0, 0) != 0) _exit(kNotStarted);
  struct sigaction action {};
  action.sa_handler = end_group;
  sigaction(SIGTERM, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kNotStarted);
  const pid_t child = fork();
  if (child < 0) _exit(kNotStarted);
  if (child == 0) become(command, limits);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) _exit(kNotStarted);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : kNotStarted - 1);
}

// Ends a process group on destruction.
class Group {
 public:
  explicit Group(pid_t leader)
      : leader_(leader), descriptor_(static_cast<int>(syscall(SYS_pidfd_open, leader, 0))) {}
  ~Group() {
    kill(-leader_, SIGKILL);
    if (!waited_) wait();
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  // Returns its exit status.  Throws Stopped.
  int join() {
    while (descriptor_.is_open() && !has_ended()) stop_request::obey();
    return wait();
  }

 private:
  bool has_ended() const {
    struct pollfd end {
      descriptor_.number(), POLLIN, 0
    };
    return poll(&end, 1, kLookMilliseconds) > 0;
  }
  int wait() {
    waited_ = true;
    int status = 0;
    while (waitpid(leader_, &status, 0) < 0)
      if (errno != EINTR) return -1;
    return status;
  }

  const pid_t leader_;
  const Descriptor descriptor_;
  bool waited_ = false;
};

std::string first_lines(const std::string& text) {
  std::istringstream in(text);
  std::string out;
  std::string line;
  for (int i = 0; i < 10 && std::getline(in, line); ++i) out += "\n  " + line;
  return out;
}

// True if gcc or clang say that a limit stopped them.
bool speaks_of_limits(const std::string& said) {
  for (const char* words :
       {"out of memory", "memory exhausted", "annot allocate memory", "bad_alloc", "CPU time limit",
        "terminated program", "unable to execute command", "Killed"})
    if (said.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string find_compiler() {
  for (const char* name : {"cc", "gcc", "clang"})
    if (std::string program = find_program(name); !program.empty()) return program;
  throw Error(Fault::system, "no C compiler was found: install gcc or clang, or use --interpret");
}

Compiled run_compiler(const std::vector<std::string>& command, const PrivateFolder& folder,
                      const CompilerLimits& limits) {
  stop_request::obey();
  const Command prepared(command, folder.descriptor());
  const pid_t parent = getpid();
  const pid_t leader = fork();
  if (leader < 0) fail(command[0], errno);
  if (leader == 0) lead(prepared, limits, parent);
  setpgid(leader, leader);  // the child does the same; the first of the two counts
  const int status = Group(leader).join();
  Compiled outcome;
  outcome.done = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const std::string said = folder.read(kSaid).value_or("");
  folder.remove(kSaid);
  outcome.said = first_lines(said);
  outcome.limited = !outcome.done && (!WIFEXITED(status) || speaks_of_limits(said));
  return outcome;
}

}  // namespace spillway
