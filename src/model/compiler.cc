#include "model/compiler.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "base/process/stop_request.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

constexpr const char* kSaid = "said.txt";
constexpr double kLookSeconds = 0.1;
constexpr int kNotStarted = 127;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Fault::system, fmt::format("{}: {}", printable(what), std::strerror(error)));
}

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
}

bool is_program(const std::string& path) {
  std::error_code none;
  return access(path.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(path, none);
}

// The program at this path, or the first of this name on the PATH.  Empty if there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    const std::string path = std::filesystem::absolute(name).string();
    return is_program(path) ? path : "";
  }
  std::stringstream folders(search_path());
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program =
        std::filesystem::absolute((folder.empty() ? "." : folder) + "/" + name).string();
    if (is_program(program)) return program;
  }
  return "";
}

std::vector<std::string> words_of(const char* text) {
  std::istringstream in(text != nullptr ? text : "");
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
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

// If memory runs out, the kernel is to end the compiler and not the search.
void offer_to_end_first() {
  const Descriptor score(open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score.is_open() && write(score.number(), "1000", 4) < 0) return;  // it is only an offer
}

// The limits are set after fork(): a process that has much memory mapped could not start the
// compiler under them.  That of memory is the last, and what follows it goes to the kernel
// directly: a sanitizer takes memory whenever it sees a call, and ends the process if it gets none.
[[noreturn]] void become(const Command& command, const CompilerLimits& limits) {
  offer_to_end_first();
  limit(RLIMIT_CPU, limits.cpu_seconds);
  limit(RLIMIT_CORE, 1);
  const int said = open(kSaid, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (dup2(said, 1) < 0 || dup2(said, 2) < 0) _exit(kNotStarted);
  limit(RLIMIT_AS, limits.memory_bytes);
  syscall(SYS_execve, command.argv[0], command.argv.data(), command.environment.data());
  _exit(kNotStarted);
}

void end_group(int /*signal*/) { kill(0, SIGKILL); }

// The leader never becomes another program, so what it has open would stay open as long as it
// lives: the lock of a run directory, a pipe to somebody who waits for its end.
void let_go_of_files(int folder) {
  if (fchdir(folder) != 0) _exit(kNotStarted);
  const int nothing = open("/dev/null", O_RDWR);
  for (int standard = 0; standard < 3; ++standard)
    if (dup2(nothing, standard) < 0) _exit(kNotStarted);
  syscall(SYS_close_range, 3U, ~0U, 0U);
}

void sleep_for(unsigned milliseconds) {
  struct timespec left {
    milliseconds / 1000, static_cast<long>(milliseconds % 1000) * 1000000
  };
  while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
}

// The child leads the process group of the compiler, and ends all of it when the parent dies.  The
// kernel signals that to the child only, not to the processes that the compiler starts.
[[noreturn]] void lead(const Command& command, const CompilerLimits& limits, pid_t parent,
                       unsigned delay_milliseconds) {
  if (setpgid(0, 0) != 0) _exit(kNotStarted);
  struct sigaction action {};
  action.sa_handler = end_group;
  sigaction(SIGTERM, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(kNotStarted);
  let_go_of_files(command.folder);
  sleep_for(delay_milliseconds);
  const pid_t child = fork();
  if (child < 0) _exit(kNotStarted);
  if (child == 0) become(command, limits);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) _exit(kNotStarted);
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : kNotStarted - 1);
}

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

std::vector<std::string> find_compiler(const std::function<void(const std::string&)>& warn) {
  std::vector<std::string> chosen = words_of(std::getenv("CC"));
  if (!chosen.empty()) {
    const std::string program = find_program(chosen[0]);
    if (!program.empty()) {
      chosen[0] = program;
      return chosen;
    }
    if (warn)
      warn(fmt::format("CC: the C compiler '{}' was not found; using another one, if there is one",
                       printable(chosen[0])));
  }
  for (const char* name : {"cc", "gcc", "clang"})
    if (const std::string program = find_program(name); !program.empty()) return {program};
  return {};
}

std::vector<std::string> find_quick_compiler() {
  const std::string program = find_program("tcc");
  if (program.empty()) return {};
  return {program};
}

bool is_quick(const std::vector<std::string>& command) {
  return std::ranges::any_of(command, [](const std::string& word) {
    return std::filesystem::path(word).filename() == "tcc";
  });
}

CompilerProcess::CompilerProcess(const std::vector<std::string>& command,
                                 const PrivateFolder& folder, const CompilerLimits& limits,
                                 unsigned delay_milliseconds)
    : folder_(folder) {
  stop_request::obey();
  const Command prepared(command, folder.descriptor());
  const pid_t parent = getpid();
  leader_ = fork();
  if (leader_ < 0) fail(command[0], errno);
  if (leader_ == 0) lead(prepared, limits, parent, delay_milliseconds);
  setpgid(leader_, leader_);  // the child does the same; the first of the two counts
  descriptor_ = Descriptor(static_cast<int>(syscall(SYS_pidfd_open, leader_, 0)));
}

CompilerProcess::~CompilerProcess() {
  if (!ended_) end();
}

// The group is ended before its leader is waited for: after that, its number may be that of
// another one.
void CompilerProcess::end() {
  ended_ = true;
  kill(-leader_, SIGKILL);
  while (waitpid(leader_, &status_, 0) < 0 && errno == EINTR) continue;
}

bool CompilerProcess::has_ended() {
  if (ended_) return true;
  siginfo_t about{};
  if (waitid(P_PID, static_cast<id_t>(leader_), &about, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      about.si_pid == 0)
    return false;
  end();
  return true;
}

bool CompilerProcess::wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  for (;;) {
    if (has_ended()) return true;
    stop_request::obey();
    const double left = seconds - std::chrono::duration<double>(Clock::now() - begin).count();
    if (left <= 0) return false;
    pause(std::min(left, kLookSeconds));
  }
}

// Until it ends, or for so long; where the kernel cannot tell, for a moment.
void CompilerProcess::pause(double seconds) const {
  const int milliseconds = static_cast<int>(seconds * 1000) + 1;
  struct pollfd its_end {
    descriptor_.number(), POLLIN, 0
  };
  poll(&its_end, descriptor_.is_open() ? 1 : 0,
       descriptor_.is_open() ? milliseconds : std::min(milliseconds, 10));
}

Compiled CompilerProcess::outcome() const {
  Compiled outcome;
  outcome.done = WIFEXITED(status_) && WEXITSTATUS(status_) == 0;
  const std::string said = folder_.read(kSaid).value_or("");
  folder_.remove(kSaid);
  outcome.said = first_lines(said);
  outcome.limited = !outcome.done && (!WIFEXITED(status_) || speaks_of_limits(said));
  return outcome;
}

}  // namespace spillway
