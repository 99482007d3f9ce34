#include "model/native.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/process/machine.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

constexpr std::array kFlags = {
    "-std=gnu11",          "-march=native",        "-fPIC", "-shared", "-w",
    "-fvisibility=hidden", "-fno-strict-aliasing", "-pipe"};
constexpr std::array kQuickFlags = {"-fPIC", "-shared", "-w"};

// Thousands of rules inlined into one function take the compiler minutes and gigabytes.
constexpr std::size_t kLargeText = 200000;

// Below this, no compiler gets far.
constexpr std::uint64_t kLeastMemory = std::uint64_t{1} << 30;

constexpr std::uint64_t kMostQuickCpuSeconds = 20;

constexpr const char* kSource = "model.c";
constexpr const char* kObject = "model.so";

// Of a compiler in the background: most checks of small models have ended by then.
constexpr unsigned kSoonMilliseconds = 100;

std::string effort_flag(Effort effort) { return effort == Effort::full ? "-O2" : "-O0"; }

void say(const Compiling::Say& to, const std::string& sentence) {
  if (to) to(sentence);
}

// Why the same text could be compiled to another object: other flags, another processor, a compiler
// that somebody chose.  One that nobody chose is not part of it, because an object in the cache
// must be found without one.
std::string circumstances(Effort effort) {
  std::string text;
  for (const char* flag : kFlags) text += fmt::format("{} ", flag);
  text += effort_flag(effort) + "\n";
  if (const char* chosen = std::getenv("CC"); chosen != nullptr && *chosen != '\0')
    text += fmt::format("CC={}\n", chosen);
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line) && !line.empty();)
    if (line.starts_with("flags") || line.starts_with("model")) text += line + "\n";
  return text;
}

std::vector<std::string> quick_command(std::vector<std::string> compiler) {
  compiler.insert(compiler.end(), kQuickFlags.begin(), kQuickFlags.end());
  compiler.insert(compiler.end(), {"-o", kObject, kSource});
  return compiler;
}

}  // namespace

// A folder that is removed with this object.
struct Workshop {
  PrivateFolder folder;
  explicit Workshop(PrivateFolder made) : folder(std::move(made)) {}
  ~Workshop() { folder.remove_all(); }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;
};

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

// Compilation -------------------------------------------------------------------------------------

struct Compilation::Work {
  Workshop shop;
  std::optional<CompilerProcess> process;  // the last member: it works in the shop
  explicit Work(PrivateFolder folder) : shop(std::move(folder)) {}
};

Compilation::Compilation(const std::string& text, Compiling compiling, Start start)
    : compiling_(std::move(compiling)),
      cache_(compiling_.cached, compiling_.tell),
      key_(sha256(circumstances(compiling_.effort) + text)),
      effort_(compiling_.effort),
      large_(text.size() > kLargeText) {
  object_ = cache_.find(key_);
  if (object_) return;
  compiler_ = find_compiler(compiling_.warn);
  if (compiler_.empty()) {
    failure_ = "no C compiler was found: install gcc or clang, or set CC";
    return;
  }
  try {
    work_ = std::make_unique<Work>(cache_.make_work_folder());
    work_->shop.folder.write(kSource, text);
    this->start(effort_, start);
  } catch (const Error& error) {
    work_.reset();
    failure_ = fmt::format("the C compiler cannot be used: {}", error.what());
  }
}

Compilation::~Compilation() = default;

void Compilation::start(Effort effort, Start when) {
  effort_ = effort;
  std::vector<std::string> command = compiler_;
  if (is_quick(command)) {
    command = quick_command(command);
  } else {
    command.insert(command.end(), kFlags.begin(), kFlags.end());
    if (large_) command.push_back("-fno-inline-functions-called-once");
    command.insert(command.end(), {effort_flag(effort), "-o", kObject, kSource});
  }
  const std::uint64_t all = memory_limit_bytes();
  const std::uint64_t left = all - std::min(all, compiling_.memory_beside);
  const std::uint64_t memory = std::max(std::min(all / 2, left), kLeastMemory);
  work_->process.emplace(command, work_->shop.folder, CompilerLimits{memory, kMostCpuSeconds},
                         when == Start::soon ? kSoonMilliseconds : 0);
}

bool Compilation::wait(double seconds) {
  constexpr double kSlowSeconds = 1;
  while (work_) {
    const double now = said_ ? seconds : std::min(seconds, kSlowSeconds);
    if (work_->process->wait(now)) {
      conclude();
      continue;
    }
    seconds -= now;
    if (seconds <= 0) return false;
    said_ = true;
    say(compiling_.slow, cache_.why_not());
  }
  return true;
}

// The process has ended: there is an object, or a reason why there is none, or another process.
void Compilation::conclude() {
  const Compiled outcome = work_->process->outcome();
  work_->process.reset();
  if (outcome.limited && effort_ == Effort::full && less_effort_) {
    say(compiling_.warn,
        "the C compiler needs too much time or memory for this model: it is compiled without "
        "optimization and will be slower");
    try {
      return start(Effort::little, Start::at_once);
    } catch (const Error& error) {
      failure_ = fmt::format("the C compiler cannot be used: {}", error.what());
      return work_.reset();
    }
  }
  const std::unique_ptr<Work> work = std::move(work_);
  if (outcome.limited) return;
  if (outcome.done) object_ = work->shop.folder.read(kObject);
  if (!object_)
    failure_ = fmt::format("the C compiler {} failed:{}", printable(compiler_[0]), outcome.said);
  // Under the key of what was asked for, so that the next process need not try again.
  else
    cache_.keep(work->shop.folder, key_, *object_);
}

std::optional<NativeObject> Compilation::take() {
  if (!object_) return std::nullopt;
  NativeObject object(*object_);
  object_.reset();
  return object;
}

std::optional<NativeObject> compile_c(const std::string& text, const Compiling& compiling) {
  Compilation compilation(text, compiling);
  while (!compilation.wait(CompilerProcess::kForever)) continue;
  if (!compilation.failure().empty()) throw Error(Fault::system, compilation.failure());
  return compilation.take();
}

std::optional<NativeObject> compile_quickly(const std::string& text, const Compiling& compiling) {
  const std::vector<std::string> compiler = find_quick_compiler();
  if (compiler.empty()) {
    say(compiling.tell, "tcc was not found: with it, a model can be executed sooner");
    return std::nullopt;
  }
  try {
    const Workshop shop(ObjectCache(compiling.cached, {}).make_work_folder());
    shop.folder.write(kSource, text);
    CompilerProcess process(quick_command(compiler), shop.folder,
                            {kLeastMemory, kMostQuickCpuSeconds});
    process.wait(CompilerProcess::kForever);
    const Compiled outcome = process.outcome();
    if (const auto object = outcome.done ? shop.folder.read(kObject) : std::nullopt)
      return NativeObject(*object);
    say(compiling.tell, fmt::format("{} failed:{}", printable(compiler[0]), outcome.said));
  } catch (const Error& error) {
    say(compiling.tell, fmt::format("tcc cannot be used: {}", error.what()));
  }
  return std::nullopt;
}

}  // namespace spillway
