#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "cli/options.h"
#include "io/system_disk.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/text.h"
#include "run/check.h"
#include "run/signals.h"
#include "safety/algorithms.h"

namespace spillway {
namespace {

constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;  // below this no search can begin

int shown_exit_code(const Settings& settings, Outcome outcome, Exit exit) {
  if (!settings.simple_exit_codes) return static_cast<int>(exit);
  switch (outcome) {
    case Outcome::verified:
    case Outcome::verified_probabilistic: return 0;
    case Outcome::violated: return 1;
    default: return 2;
  }
}

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw Error(Fault::system,
              fmt::format("the result cannot be written to {}: {}", printable(path), std::strerror(error)));
}

// Whether a result can be written there is asked before the search, not after hours of it.
void prepare_file(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code none;
  const std::filesystem::file_type type = std::filesystem::symlink_status(path, none).type();
  const bool existed = type != std::filesystem::file_type::not_found;
  if (existed && type != std::filesystem::file_type::regular) return;  // a pipe, a link: not to be touched twice
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) cannot_write(path, errno);
  std::fclose(file);
  if (!existed) std::filesystem::remove(path, none);  // an empty file is no result
}

void write_file(const std::string& path, const std::string& text) {
  const auto close = [](std::FILE* file) { return file == stdout ? std::fflush(file) : std::fclose(file); };
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) cannot_write(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (close(file) != 0) cannot_write(path, errno);
  if (!written) cannot_write(path, error);
}

// The memory of the search: what the process may take, less what it has taken already.
std::uint64_t search_budget(std::uint64_t memory_bytes) {
  const std::uint64_t taken = resident_bytes();
  if (memory_bytes < taken + kLeastBudget)
    throw Error(Fault::usage, fmt::format("--memory: {} are not enough; the least is {}", bytes_text(memory_bytes),
                                          bytes_text(taken + kLeastBudget)));
  return memory_bytes - taken;
}

// What a user reads.  Standard error may be closed; standard output is looked at when the program ends.
void say(std::FILE* stream, const std::string& text) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

CheckResult failed(const Error& error) {
  CheckResult result;
  Evidence evidence;
  evidence.fault = error.fault();
  evidence.fault_sentence = error.what();
  result.verdict = judge(evidence);
  return result;
}

std::vector<std::string> scratch_directories(const Settings& settings) {
  if (!settings.disks.empty()) return settings.disks;
  const char* folder = std::getenv("TMPDIR");
  return {folder != nullptr && *folder != '\0' ? folder : "/var/tmp"};
}

Disk& open_disk(const Settings& settings, std::optional<SystemDisk>& disk) {
  try {
    return disk.emplace(SystemDisk::Options{scratch_directories(settings)});
  } catch (const Error& error) {
    throw Error(Fault::usage, fmt::format("--disk: {}", error.what()));
  }
}

CheckResult search(const Settings& settings, const Subject& subject, const Algorithm& algorithm,
                   std::uint64_t budget_bytes) {
  CheckOptions options;
  options.run.limits = settings.limits;
  options.run.deadlock = subject.deadlock;
  options.run.threads = subject.threads;
  options.memory_bytes = budget_bytes;
  options.verify = settings.verify;
  options.signatures = settings.signatures;
  std::optional<SystemDisk> disk;
  if (algorithm.uses_disk) options.disk = &open_disk(settings, disk);
  ProgressLine progress(stderr);
  if (!settings.quiet) {
    options.run.observe_seconds = progress.every_seconds();
    options.run.observer = [&](const Progress& now) { progress.show(now); };
    options.run.announcer = [&](const std::string& sentence) { progress.announce(sentence); };
  }
  const Signals signals;
  return check(*subject.model, algorithm, options);
}

int run_check(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage, "which model? Try: spillway check MODEL, or spillway check --help");
  const Algorithm& algorithm = settings.algorithm != nullptr ? *settings.algorithm : algorithms().front();
  if (settings.signatures.bits != 0 && !algorithm.signatures)
    throw Error(Fault::usage, fmt::format("--store: --algorithm={} holds whole states only", algorithm.name));
  if (settings.limits.max_depth != kUnlimited && !algorithm.in_levels)
    throw Error(Fault::usage, fmt::format("--max-depth: --algorithm={} does not know depths", algorithm.name));
  Subject subject;
  subject.path = settings.subject;
  subject.algorithm = algorithm.name;
  subject.threads = settings.threads != 0 ? settings.threads : allowed_processors();
  subject.memory_bytes = settings.memory_bytes.value_or(memory_limit_bytes() / 10 * 7);
  std::FILE* const text = settings.json_file == "-" ? stderr : stdout;
  LoadedModel loaded;
  CheckResult result;
  try {
    loaded = open_model(settings.subject, settings.reading);
    subject.sha256 = loaded.sha256;
    subject.model = loaded.model.get();
    subject.symmetry = loaded.symmetry;
    subject.deadlock = settings.deadlock.value_or(loaded.model->deadlock());
    const std::uint64_t budget_bytes = search_budget(subject.memory_bytes);
    prepare_file(settings.json_file);
    if (subject.memory_bytes > memory_limit_bytes())
      say(stderr, fmt::format("spillway: --memory: there are only {} here; the system may end this run\n",
                              bytes_text(memory_limit_bytes())));
    if (!settings.quiet) say(text, opening_text(subject));
    result = search(settings, subject, algorithm, budget_bytes);
  } catch (const Error& error) {
    if (error.fault() != Fault::model) throw;
    subject.sha256 = sha256_of(settings.subject);
    result = failed(error);
  }
  const int code = shown_exit_code(settings, result.verdict.outcome, result.verdict.exit);
  say(text, result_text(subject, result, settings.quiet));
  if (!settings.json_file.empty()) write_file(settings.json_file, to_json(subject, result, code));
  return code;
}

int run_lint(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage, "which model? Try: spillway lint MODEL, or spillway lint --help");
  if (!is_text_model(settings.subject)) {
    open_model(settings.subject, settings.reading);
    say(stdout, fmt::format("{}: nothing to complain about\n", printable(settings.subject)));
    return 0;
  }
  const ReadModel read = read_text_model(settings.subject, settings.reading);
  for (const Warning& warning : read.warnings)
    say(stdout, fmt::format("{}:{}:{}: warning: {}\n", printable(settings.subject), warning.position.line,
                            warning.position.column, printable(warning.text)));
  const auto count = [](std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const program::Program& program = read.program;
  say(stdout,
      fmt::format(
          "{}: {}, {}, {}; {}\n", printable(settings.subject), count(program.variables.size(), "variable"),
          count(program.rules.size(), "rule"),
          program.properties.size() == 1 ? "1 property" : fmt::format("{} properties", program.properties.size()),
          read.warnings.empty() ? "nothing to complain about" : count(read.warnings.size(), "warning")));
  return 0;
}

int run_explain(const Settings& settings) {
  bool known = false;
  for (const ExitCode& row : exit_codes()) {
    const std::string number = std::to_string(static_cast<int>(row.code));
    if (!settings.subject.empty() && settings.subject != number) continue;
    known = true;
    say(stdout, fmt::format("{:>4}  {}\n", number, row.meaning));
  }
  if (!known)
    throw Error(Fault::usage, fmt::format("'{}' is no exit code; 'spillway explain' lists them", settings.subject));
  return 0;
}

constexpr std::array kCommands = {
    Command{"check",
            "MODEL",
            "Explore all reachable states of a model and check its properties",
            {{"spillway check ./peterson.so", "check all properties with all processors and 70% of the memory"},
             {"spillway check ./tiles.so --memory 2G --timeout 10m --json result.json",
              "stay inside limits and leave the result for other programs"},
             {"spillway check lock.graph --deadlock=stuck --quiet && echo fine",
              "use it in a script: the exit code is 0 only for VERIFIED"}},
            {},
            run_check},
    Command{"lint",
            "MODEL",
            "Say what is or looks wrong in a text, without a search",
            {{"spillway lint german.m", "errors and warnings with file, line and column"},
             {"spillway lint german.m --const NODES=8", "the same for another value of a constant"},
             {"spillway lint old.m --dialect=cmurphi", "read it as CMurphi does"}},
            {},
            run_lint},
    Command{"explain",
            "[CODE]",
            "Say what an exit code means",
            {{"spillway explain 12", "what exit code 12 means"},
             {"spillway explain", "all exit codes"},
             {"spillway check lock.graph || spillway explain $?", "check, and say in words what came out"}},
            {},
            run_explain},
};

}  // namespace

std::span<const Command> commands() {
  static const std::array all = [] {
    auto table = kCommands;
    table[0].options = check_options();
    table[1].options = lint_options();
    return table;
  }();
  return all;
}

}  // namespace spillway
