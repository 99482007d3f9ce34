#include "model/native.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/private_folder.h"
#include "base/sha256.h"
#include "model/compiler.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::array kFlags = {
    "-std=gnu11",          "-march=native",        "-fPIC", "-shared", "-w",
    "-fvisibility=hidden", "-fno-strict-aliasing", "-pipe"};

// Thousands of rules inlined into one function take the compiler minutes and gigabytes.
constexpr std::size_t kLargeText = 200000;

// Below this, no compiler gets far.
constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 30;

std::string effort_flag(Effort effort) { return effort == Effort::full ? "-O2" : "-O0"; }

void say(const Compiling::Say& to, const std::string& sentence) {
  if (to) to(sentence);
}

// Why the same text could be compiled to another object: other flags, another processor.  The
// compiler is not part of it, because an object in the cache must be found without one.
std::string circumstances(Effort effort) {
  std::string text;
  for (const char* flag : kFlags) text += fmt::format("{} ", flag);
  text += effort_flag(effort) + "\n";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();)
    if (line.starts_with("flags") || line.starts_with("model")) text += line + "\n";
  return text;
}

// Entries of the cache ----------------------------------------------------------------------------

std::string entry_name(const std::string& key) { return key + ".object"; }

// The head of an entry: what the object was made of, its length and its checksum.
std::string entry_head(const std::string& key, std::string_view object) {
  return fmt::format("spillway-object 1\n{}\n{}\n{}\n", key, object.size(), sha256(object));
}

// The object in an entry; std::nullopt if the entry is not as it was written.
std::optional<std::string_view> object_in(std::string_view entry, const std::string& key) {
  constexpr std::size_t kLines = 4;
  std::size_t end = 0;
  for (std::size_t line = 0; line < kLines; ++line) {
    end = entry.find('\n', end);
    if (end == std::string_view::npos) return std::nullopt;
    ++end;
  }
  const std::string_view object = entry.substr(end);
  if (entry.substr(0, end) != entry_head(key, object)) return std::nullopt;
  return object;
}

std::string cache_path() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/spillway";
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/spillway";
  return "";
}

std::optional<PrivateFolder> open_cache(const Compiling& compiling) {
  const std::string path = cache_path();
  if (path.empty()) {
    say(compiling.tell,
        "compiled models are not cached: neither XDG_CACHE_HOME nor HOME is the path of a "
        "directory");
    return std::nullopt;
  }
  try {
    return PrivateFolder::open(path);
  } catch (const Error& error) {
    say(compiling.tell, fmt::format("compiled models are not cached: {}", error.what()));
    return std::nullopt;
  }
}

std::optional<NativeObject> find(const PrivateFolder& cache, const std::string& key,
                                 const Compiling& compiling) {
  const std::optional<std::string> entry = cache.read(entry_name(key));
  if (!entry) return std::nullopt;
  const std::string path = printable(cache.path() + "/" + entry_name(key));
  if (const std::optional<std::string_view> object = object_in(*entry, key)) {
    say(compiling.tell, fmt::format("using the compiled model in the cache: {}", path));
    return NativeObject(*object);
  }
  say(compiling.tell, fmt::format("{} is damaged and is made again", path));
  return std::nullopt;
}

void keep(const PrivateFolder& cache, const PrivateFolder& work, const std::string& key,
          const std::string& object, const Compiling& compiling) {
  constexpr const char* kEntry = "entry";
  try {
    work.write(kEntry, entry_head(key, object) + object);
    cache.take_over(work, kEntry, entry_name(key));
  } catch (const Error& error) {  // it can be made again
    say(compiling.tell, fmt::format("the compiled model is not cached: {}", error.what()));
  }
}

// Compiling ---------------------------------------------------------------------------------------

// A folder that is removed with this object.
struct Workshop {
  PrivateFolder folder;
  ~Workshop() { folder.remove_all(); }
};

PrivateFolder make_work_folder(std::optional<PrivateFolder>& cache, const Compiling& compiling) {
  if (!cache) return PrivateFolder::make_temporary();
  try {
    cache->remove_left_over();
    return cache->make_inside();
  } catch (const Error& error) {
    say(compiling.tell, fmt::format("compiled models are not cached: {}", error.what()));
    cache.reset();
    return PrivateFolder::make_temporary();
  }
}

// std::nullopt if the compiler needs too much time or memory.
std::optional<std::string> compile(const std::string& text, Effort effort,
                                   const PrivateFolder& work) {
  constexpr const char* kSource = "model.c";
  constexpr const char* kObject = "model.so";
  work.remove(kSource);
  work.write(kSource, text);
  std::vector<std::string> command = {find_compiler()};
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  if (text.size() > kLargeText) command.push_back("-fno-inline-functions-called-once");
  command.insert(command.end(), {effort_flag(effort), "-o", kObject, kSource});
  const std::uint64_t memory = std::max(memory_limit_bytes() / 2, kLeastMemory);
  const Compiled outcome = run_compiler(command, work, {memory, kMostCpuSeconds});
  if (outcome.limited) return std::nullopt;
  std::optional<std::string> object = outcome.done ? work.read(kObject) : std::nullopt;
  if (!object)
    throw Error(Fault::system,
                fmt::format("the C compiler {} failed:{}", command[0], outcome.said));
  return object;
}

}  // namespace

NativeObject::NativeObject(std::string_view contents)
    : file_(memfd_create("spillway-model", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  const auto fail = [](int error) {
    throw Error(Fault::system,
                fmt::format("cannot hold a compiled model in memory: {}", std::strerror(error)));
  };
  if (!file_.is_open()) fail(errno);
  while (!contents.empty()) {
    const ssize_t more = write(file_.number(), contents.data(), contents.size());
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) fail(more < 0 ? errno : ENOSPC);
    contents.remove_prefix(static_cast<std::size_t>(more));
  }
  fcntl(file_.number(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
}

std::string NativeObject::path() const { return fmt::format("/proc/self/fd/{}", file_.number()); }

std::optional<NativeObject> compile_c(const std::string& text, const Compiling& compiling) {
  const auto key_of = [&](Effort effort) { return sha256(circumstances(effort) + text); };
  std::optional<PrivateFolder> cache = compiling.cached ? open_cache(compiling) : std::nullopt;
  if (cache)
    if (std::optional<NativeObject> known = find(*cache, key_of(compiling.effort), compiling))
      return known;
  const Workshop work{make_work_folder(cache, compiling)};
  std::optional<std::string> object = compile(text, compiling.effort, work.folder);
  if (!object && compiling.effort == Effort::full) {
    say(compiling.warn,
        "the C compiler needs too much time or memory for this model: it is compiled without "
        "optimization and will be slower");
    object = compile(text, Effort::little, work.folder);
  }
  if (!object) return std::nullopt;
  // Under the key of what was asked for, so that the next process need not try again.
  if (cache) keep(*cache, work.folder, key_of(compiling.effort), *object, compiling);
  return NativeObject(*object);
}

}  // namespace spillway
