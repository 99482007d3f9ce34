#include "cli/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace spillway {
namespace {

std::atomic<int> last_signal{0};
std::atomic<pid_t> living_child{0};

void pass_on(int signal) {
  const int saved = errno;
  last_signal.store(signal);
  if (const pid_t child = living_child.load(); child > 0) kill(child, signal);
  errno = saved;
}

// After fork(): nothing here allocates.
[[noreturn]] void become(char* const* arguments, pid_t parent) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  // A group of its own: Ctrl-C would reach it twice.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(126);
  const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  execv("/proc/self/exe", arguments);
  _exit(127);
}

}  // namespace

SignalsForChildren::SignalsForChildren() {
  struct sigaction action {};
  action.sa_handler = pass_on;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

SignalsForChildren::~SignalsForChildren() {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
}

int SignalsForChildren::received() { return last_signal.load(); }

int run_child(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers;
  std::string name = "spillway";
  std::vector<std::string> copies = arguments;
  pointers.push_back(name.data());
  for (std::string& argument : copies) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    throw Error(Fault::system, fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) become(pointers.data(), parent);
  living_child.store(child);
  if (const int signal = last_signal.load(); signal != 0) kill(child, signal);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  living_child.store(0);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return 128 + (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

}  // namespace spillway
