#include "model/native.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "base/sha256.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFlags = {"-std=gnu11",          "-march=native",        "-fPIC", "-shared", "-w",
                               "-fvisibility=hidden", "-fno-strict-aliasing", "-pipe"};

// Thousands of rules inlined into one function take the compiler minutes and gigabytes.
constexpr std::size_t kLargeText = 200000;

std::string effort_flag(Effort effort) { return effort == Effort::full ? "-O2" : "-O0"; }

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Fault::system, fmt::format("{}: {}", what, std::strerror(error)));
}

// The first program of this name on the PATH.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = (folder.empty() ? "." : folder) + "/" + name;
    if (access(program.c_str(), X_OK) == 0 && fs::is_regular_file(program)) return program;
  }
  return "";
}

std::string find_compiler() {
  for (const char* name : {"cc", "gcc", "clang"})
    if (std::string program = find_program(name); !program.empty()) return program;
  throw Error(Fault::system, "no C compiler was found: install gcc or clang, which models are compiled with");
}

// What the same text could be compiled differently for: other flags, another processor.  Not another compiler: what is
// in the cache must be found without one.
std::string circumstances(Effort effort) {
  std::string text;
  for (const char* flag : kFlags) text += fmt::format("{} ", flag);
  text += effort_flag(effort) + "\n";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();)
    if (line.starts_with("flags") || line.starts_with("model")) text += line + "\n";
  return text;
}

// A folder that only we can read and write.
fs::path cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (xdg != nullptr && *xdg == '/')
    folder = xdg;
  else if (home != nullptr && *home == '/')
    folder = fs::path(home) / ".cache";
  else
    folder = fs::temp_directory_path() / fmt::format("spillway-{}", getuid());
  std::error_code none;
  fs::create_directories(folder, none);
  folder /= "spillway";
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    fail(fmt::format("{} cannot be made", folder.string()), errno);
  struct stat status {};
  if (lstat(folder.c_str(), &status) != 0) fail(folder.string(), errno);
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0)
    throw Error(Fault::system,
                fmt::format("{} must be a folder that only you can read and write (chmod 700)", folder.string()));
  return folder;
}

void write(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) fail(path.string(), errno);
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t more = ::write(file, text.data() + done, text.size() - done);
    if (more < 0 && errno != EINTR) {
      const int error = errno;
      close(file);
      fail(path.string(), error);
    }
    done += more > 0 ? static_cast<std::size_t>(more) : 0;
  }
  close(file);
}

// Runs a program without a shell, with nothing but PATH, a plain locale and TMPDIR in its environment.
int run(const std::vector<std::string>& arguments, const fs::path& output) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const char* path = std::getenv("PATH");
  std::string path_text = fmt::format("PATH={}", path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin");
  std::string locale = "LC_ALL=C";
  std::string scratch = fmt::format("TMPDIR={}", output.parent_path().string());
  std::array<char*, 4> environment = {path_text.data(), locale.data(), scratch.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(arguments[0], error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail(arguments[0], errno);
  return status;
}

std::string first_lines(const fs::path& path) {
  std::ifstream file(path);
  std::string text;
  std::string line;
  for (int i = 0; i < 10 && std::getline(file, line); ++i) text += "\n  " + line;
  return text;
}

// Files that are gone when we are.
struct Scratch {
  std::vector<fs::path> paths;
  ~Scratch() {
    std::error_code none;
    for (const fs::path& path : paths) fs::remove(path, none);
  }
};

}  // namespace

std::string compile_c(const std::string& text, Effort effort) {
  const fs::path folder = cache_folder();
  const std::string key = sha256(circumstances(effort) + text);
  const fs::path object = folder / (key + ".so");
  std::error_code none;
  if (fs::exists(object, none)) return object.string();

  const std::string compiler = find_compiler();
  const std::string unique = fmt::format("{}.{}", key, getpid());
  const fs::path source = folder / (unique + ".c");
  const fs::path made = folder / (unique + ".so.part");
  const fs::path said = folder / (unique + ".log");
  const Scratch scratch{{source, made, said}};
  fs::remove(source, none);
  write(source, text);
  std::vector<std::string> arguments = {compiler};
  arguments.insert(arguments.end(), kFlags.begin(), kFlags.end());
  if (text.size() > kLargeText) arguments.push_back("-fno-inline-functions-called-once");
  arguments.insert(arguments.end(), {effort_flag(effort), "-o", made.string(), source.string()});
  if (run(arguments, said) != 0)
    throw Error(Fault::system, fmt::format("the C compiler {} failed:{}", compiler, first_lines(said)));
  fs::rename(made, object);  // at once: others may be waiting for the same model
  return object.string();
}

}  // namespace spillway
