#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "base/error.h"
#include "base/machine.h"
#include "base/printable.h"
#include "base/quantity.h"
#include "base/sha256.h"
#include "check/check.h"
#include "check/signals.h"
#include "check/watch.h"
#include "cli/commands.h"
#include "cli/kept_run.h"
#include "io/system_disk.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/status.h"
#include "report/text.h"
#include "safety/algorithms.h"

namespace spillway {
namespace {

constexpr std::uint64_t kLeastBudget = std::uint64_t{4} << 20;  // below this no search can begin
// What a search takes besides its budget: rings and buffers of the kernel, tables of pages; stacks
// and free pieces of the heap.  Measured by tests/memory/spilled_peaks.py.
constexpr std::uint64_t kOfProcess = std::uint64_t{256} << 10;
constexpr std::uint64_t kOfThread = std::uint64_t{64} << 10;

[[noreturn]] void cannot_write(const std::string& path, int error) {
  throw Error(Fault::system, fmt::format("cannot write the result to {}: {}", printable(path),
                                         std::strerror(error)));
}

int shown_exit_code(const Settings& settings, Outcome outcome, Exit exit) {
  if (!settings.simple_exit_codes) return static_cast<int>(exit);
  switch (outcome) {
    case Outcome::verified:
    case Outcome::verified_probabilistic: return 0;
    case Outcome::violated: return 1;
    default: return 2;
  }
}

// Whether a result can be written there is asked before the search, not after hours of it.
void prepare_file(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code none;
  const std::filesystem::file_type type = std::filesystem::symlink_status(path, none).type();
  const bool existed = type != std::filesystem::file_type::not_found;
  // a pipe, a link: not to be touched twice
  if (existed && type != std::filesystem::file_type::regular) return;
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) cannot_write(path, errno);
  std::fclose(file);
  if (!existed) std::filesystem::remove(path, none);  // an empty file is no result
}

CheckResult failed(const Error& error) {
  CheckResult result;
  Evidence evidence;
  evidence.fault = error.fault();
  evidence.fault_sentence = error.what();
  result.verdict = judge(evidence);
  return result;
}

std::vector<std::string> scratch_directories(const Settings& settings, const RunFolder* folder) {
  if (!settings.disks.empty()) return settings.disks;
  if (folder != nullptr) return {folder->own_places().back()};
  const char* temporary = std::getenv("TMPDIR");
  return {temporary != nullptr && *temporary != '\0' ? temporary : "/var/tmp"};
}

Disk& open_disk(const Settings& settings, const RunFolder* folder, Budget* room,
                std::optional<SystemDisk>& disk) {
  try {
    SystemDisk::Options options{scratch_directories(settings, folder)};
    options.room = room;
    return disk.emplace(options);
  } catch (const Error& error) {
    throw Error(Fault::usage, fmt::format("--disk: {}", error.what()));
  }
}

// Of a process that is checking a model: what the watch needs to speak in its place.
class Checking {
 public:
  Checking(const Settings& settings, Subject& subject)
      : settings_(settings), subject_(subject), progress_(stderr), watch_(duties()) {}

  Watch& watch() { return watch_; }
  ProgressLine& progress() { return progress_; }

  // From now on there is a model; a run that is kept.
  void know_model() { knows_model_.store(true); }
  void know(const KeptRun& kept) { kept_.store(&kept); }

 private:
  Watch::Duties duties() {
    Watch::Duties duties;
    duties.timeout_seconds = settings_.limits.timeout_seconds;
    duties.tell = [this](const Session* session) {
      progress_.announce(session != nullptr
                             ? progress_text(session->levels.progress())
                             : fmt::format("spillway: preparing {}", printable(subject_.path)));
    };
    duties.say = [this](const std::string& sentence) {
      progress_.announce("spillway: " + sentence);
    };
    duties.give_up = [this](const Session* session, Stop why) { give_up(session, why); };
    return duties;
  }

  // What check_model() does when it comes to an end, without anything that has not stopped.
  [[noreturn]] void give_up(const Session* session, Stop why) {
    progress_.clear();
    Subject subject;
    if (knows_model_.load()) {
      subject = subject_;
    } else {
      subject.path = subject_.path;
      subject.algorithm = subject_.algorithm;
      subject.threads = subject_.threads;
      subject.memory_bytes = subject_.memory_bytes;
    }
    const KeptRun* const kept = kept_.load();
    CheckResult result = unanswered(session, why);
    if (kept != nullptr && kept->stays(result.verdict))
      subject.run_directory = kept->folder()->path();
    const int code = shown_exit_code(settings_, result.verdict.outcome, result.verdict.exit);
    say(stderr, fmt::format("spillway: {} does not stop; reporting what is known so far\n",
                            session != nullptr ? "the search" : "the preparation"));
    try {
      say(settings_.json_file == "-" ? stderr : stdout,
          result_text(subject, result, settings_.quiet));
      const std::string json = to_json(subject, result, code);
      if (!settings_.json_file.empty()) write_file(settings_.json_file, json);
      if (kept != nullptr && kept->stays(result.verdict)) kept->folder()->write_result(json);
    } catch (const Error& error) {
      say(stderr, fmt::format("spillway: {}\n", error.what()));
      _exit(static_cast<int>(Exit::system));
    }
    _exit(code);  // no destructor waits for what does not return
  }

  const Settings& settings_;
  Subject& subject_;
  const Signals signals_;
  ProgressLine progress_;
  std::atomic<bool> knows_model_{false};
  std::atomic<const KeptRun*> kept_{nullptr};
  Watch watch_;
};

CheckResult search(const Settings& settings, const Subject& subject, const Algorithm& algorithm,
                   std::uint64_t budget_bytes, const KeptRun& where, Checking& checking) {
  const RunFolder* const folder = where.folder();
  CheckOptions options;
  options.session.limits = settings.limits;
  // the watch knows the time
  options.session.limits.timeout_seconds = std::numeric_limits<double>::infinity();
  options.watch = &checking.watch();
  options.session.deadlock = subject.deadlock;
  options.session.threads = subject.threads;
  options.memory_bytes = budget_bytes;
  options.verify = settings.verify;
  options.signatures = settings.signatures;
  options.ignored = settings.ignored;
  std::optional<Budget> limit;
  if (settings.disk_limit_bytes) limit.emplace(*settings.disk_limit_bytes);
  Budget* const room = limit ? &*limit : nullptr;
  std::optional<SystemDisk> disk;
  std::optional<SystemDisk> kept;
  std::optional<Journal> journal;
  if (algorithm.uses_disk) options.disk = &open_disk(settings, folder, room, disk);
  if (folder != nullptr) {
    const std::vector<std::string> places = folder->own_places();
    kept.emplace(SystemDisk::Options{places, SystemDisk::Keep::yes, EngineKind::best,
                                     places.size() - 1, room, folder->places_of_original()});
    JournalSettings how;
    how.run = folder->mark();
    how.begun = true;
    if (settings.checkpoint_seconds) {
      how.least_seconds = *settings.checkpoint_seconds;
      how.share = 1;
    }
    how.complete = !where.unasked();
    options.journal = &journal.emplace(*kept, subject.model->words(), budget_bytes, how);
    checking.watch().keeps_something(true);
  }
  ProgressLine& progress = checking.progress();
  if (!settings.quiet) {
    options.session.observe_seconds = progress.every_seconds();
    options.session.observer = [&](const Progress& now) { progress.show(now); };
    options.session.announcer = [&](const std::string& sentence) { progress.announce(sentence); };
  }
  CheckResult result = check(*subject.model, algorithm, options);
  progress.clear();
  return result;
}

// Of a folder that nobody asked for.
std::string kept_text(const RunFolder& folder, const std::string& model) {
  const std::string command = resume_command(folder.path(), folder.config().native() ? model : "");
  return fmt::format("spillway: the run is kept in {} until it is done; resume it with: {}\n",
                     printable(folder.path()), printable(command));
}

ReadingOptions reading_options(const Settings& settings) {
  const auto tell = [](const std::string& sentence) {
    say(stderr, fmt::format("spillway: {}\n", sentence));
  };
  ReadingOptions reading = settings.reading;
  if (!settings.quiet) reading.compiling.warn = tell;
  if (settings.verbose) reading.compiling.tell = tell;
  return reading;
}

void refuse_what_does_not_fit(const Settings& settings, const Algorithm& algorithm) {
  if (settings.signatures.bits != 0 && !algorithm.signatures)
    throw Error(Fault::usage,
                fmt::format("--store: --algorithm={} supports only --store=full", algorithm.name));
  if (settings.limits.max_depth != kUnlimited && !algorithm.in_levels)
    throw Error(
        Fault::usage,
        fmt::format("--max-depth: --algorithm={} is not breadth-first and does not know depths",
                    algorithm.name));
  if (settings.run_dir && !settings.run_dir->empty() && !algorithm.durable)
    throw Error(
        Fault::usage,
        fmt::format(
            "--run-dir: --algorithm={} does not support checkpoints; use auto, ram or sorted-runs",
            algorithm.name));
}

// What the search cannot do without.
std::uint64_t least_budget(const Settings& settings, const Algorithm& algorithm, const Model& model,
                           bool continued) {
  if (algorithm.least_bytes == nullptr) return 0;
  const bool journal = continued || !settings.run_dir || !settings.run_dir->empty();
  return algorithm.least_bytes(model.words(), journal);
}

// The whole of it: `folder` of a run that is continued, or nothing.
int check_model(const Settings& settings, const RunFolder* folder) {
  const Algorithm& algorithm =
      settings.algorithm != nullptr ? *settings.algorithm : algorithms().front();
  refuse_what_does_not_fit(settings, algorithm);
  Subject subject;
  subject.path = folder != nullptr ? folder->config().model : settings.subject;
  subject.algorithm = algorithm.name;
  subject.threads = settings.threads != 0 ? settings.threads : allowed_processors();
  subject.memory_bytes = memory_bytes(settings);
  std::FILE* const text = settings.json_file == "-" ? stderr : stdout;
  std::optional<KeptRun> kept;
  LoadedModel loaded;
  CheckResult result;
  Checking checking(settings, subject);
  try {
    ReadingOptions reading = reading_options(settings);
    reading.verified = settings.verify;
    loaded = open_model(settings.subject, reading);
    subject.sha256 = loaded.sha256;
    subject.model = loaded.model.get();
    subject.symmetry = loaded.symmetry;
    subject.warnings = loaded.warnings;
    for (const LoadedModel::Warning& warning : loaded.warnings)
      say(stderr, fmt::format("spillway: {}:{}:{}: warning: {}\n", printable(subject.path),
                              warning.line, warning.column, printable(warning.text)));
    subject.deadlock = settings.deadlock.value_or(loaded.model->deadlock());
    if (settings.reading.dve.property == DveProperty::product &&
        settings.deadlock.value_or(Deadlock::off) != Deadlock::off)
      throw Error(Fault::usage,
                  "--product: a product can end because only its property process is stuck; check "
                  "for deadlocks "
                  "without --product");
    if (const std::string why = why_goals_cannot_be_decided(*loaded.model, algorithm);
        !settings.ignored.reachable && !why.empty())
      throw Error(Fault::usage, why);
    checking.know_model();
    const std::uint64_t budget_bytes =
        search_budget(subject.memory_bytes, subject.threads,
                      least_budget(settings, algorithm, *subject.model, folder != nullptr));
    prepare_file(settings.json_file);
    if (subject.memory_bytes > memory_limit_bytes())
      say(stderr,
          fmt::format(
              "spillway: --memory exceeds this machine's {}; the kernel may kill the process\n",
              bytes_text(memory_limit_bytes())));
    if (folder != nullptr) {
      kept.emplace(*folder);
      folder->take_up();
    } else {
      kept.emplace(settings, algorithm, loaded.sha256);
    }
    checking.know(*kept);
    if (!settings.quiet) say(text, opening_text(subject));
    if (!settings.quiet && kept->unasked())
      say(stderr, kept_text(*kept->folder(), settings.subject));
    result = search(settings, subject, algorithm, budget_bytes, *kept, checking);
  } catch (const Stopped&) {
    result = unanswered(nullptr, requested_stop().value_or(Stop::time));
  } catch (const Error& error) {
    if (error.fault() != Fault::model) throw;
    subject.sha256 = sha256_of(settings.subject);
    result = failed(error);
  }
  checking.watch().enter(Watch::Stage::ended, nullptr);
  const bool stays = kept && kept->stays(result.verdict);
  if (stays) {
    subject.run_directory = kept->folder()->path();
    if (kept->folder()->config().native()) subject.native_model = settings.subject;
  }
  const int code = shown_exit_code(settings, result.verdict.outcome, result.verdict.exit);
  say(text, result_text(subject, result, settings.quiet));
  const std::string json = to_json(subject, result, code);
  if (!settings.json_file.empty()) write_file(settings.json_file, json);
  if (settings.quiet && stays && kept->unasked())
    say(stderr, kept_text(*kept->folder(), settings.subject));
  if (kept) kept->end(result.verdict, json);
  return code;
}

}  // namespace

void say(std::FILE* stream, const std::string& text) {
  std::fputs(text.c_str(), stream);
  std::fflush(stream);
}

void write_file(const std::string& path, const std::string& text) {
  const auto close = [](std::FILE* file) {
    return file == stdout ? std::fflush(file) : std::fclose(file);
  };
  std::FILE* file = path == "-" ? stdout : std::fopen(path.c_str(), "w");
  if (file == nullptr) cannot_write(path, errno);
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const int error = errno;
  if (close(file) != 0) cannot_write(path, errno);
  if (!written) cannot_write(path, error);
}

std::uint64_t memory_bytes(const Settings& settings) {
  return settings.memory_bytes.value_or(memory_limit_bytes() / 10 * 7);
}

std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads, std::uint64_t least) {
  const std::uint64_t taken = resident_bytes() + kOfProcess;
  least = std::max(least, kLeastBudget);
  if (memory_bytes < taken + least) {
    // In whole MiB, and one more: the next process may take some pages more than this one.
    throw Error(Fault::usage, fmt::format("--memory: {} is too little; at least {} MiB is needed",
                                          bytes_text(memory_bytes), ((taken + least) >> 20) + 2));
  }
  // Whether it is enough must not depend on the number of threads.
  return std::max(least,
                  memory_bytes - taken - std::min(memory_bytes - taken, threads * kOfThread));
}

int run_check(const Settings& settings) {
  if (settings.subject.empty())
    throw Error(Fault::usage,
                "no model given; try: spillway check MODEL, or spillway check --help");
  return check_model(settings, nullptr);
}

int check_in(const RunFolder& folder, const Settings& settings) {
  return check_model(settings, &folder);
}

}  // namespace spillway
