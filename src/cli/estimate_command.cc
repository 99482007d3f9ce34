#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "algorithms/algorithms.h"
#include "base/error.h"
#include "base/process/machine.h"
#include "base/process/private_folder.h"
#include "base/text/printable.h"
#include "check/session/signals.h"
#include "cli/commands.h"
#include "cli/options/given_options.h"
#include "cli/options/memory.h"
#include "cli/session/output.h"
#include "cli/session/scratch.h"
#include "io/data/system_disk.h"
#include "report/progress/estimate_text.h"

namespace spillway {
namespace {

constexpr double kUsualSeconds = 120;

std::string check_command(const CommandSettings& settings) {
  std::string command = "spillway check " + shell_word(settings.subject);
  for (const std::string& option : settings.given)
    if (kept_for_later(option)) command += " " + shell_word(option);
  return printable(command);
}

// A folder for a while.
class Temporary {
 public:
  ~Temporary() { folder_.remove_all(); }
  const std::string& path() const { return folder_.path(); }
  void remove() const { folder_.remove_all(); }

 private:
  const PrivateFolder folder_ = PrivateFolder::make_temporary();
};

// Only the beginning of a search, and what its checkpoints take.
class BeginningOfSearch {
 public:
  BeginningOfSearch(const CommandSettings& settings, const Model& model)
      : settings_(settings), model_(model) {}

  CheckResult carry_out() {
    const Signals signals;
    Watch::Duties duties;
    duties.timeout_seconds = seconds();
    duties.tell = [](const Session*) {};
    duties.say = [](const std::string&) {};
    duties.give_up = [this](const Session*, Stop) {
      folder_.remove();
      _exit(static_cast<int>(Exit::time));
    };
    Watch watch(std::move(duties));
    const std::uint64_t limit = memory_bytes(settings_);
    const unsigned threads = settings_.threads != 0 ? settings_.threads : allowed_processors();
    CheckOptions options;
    options.session.threads = threads;
    options.session.deadlock = settings_.deadlock.value_or(model_.deadlock());
    options.session.observe_seconds = std::numeric_limits<double>::infinity();
    options.session.observer = [this](const Progress& now) { note(now); };
    options.ignored = {true, true};
    options.watch = &watch;
    options.memory_bytes = search_budget(limit, threads, 0, model_.runtime().bytes_to_come());
    beginning_.memory_limit_bytes = options.memory_bytes;
    SystemDisk disk({{folder_.path()}, SystemDisk::Keep::yes, EngineKind::best, 0, &room_});
    JournalSettings how;
    how.run.identity = Identity::drawn();
    Journal journal(disk, model_.words(), options.memory_bytes, how);
    options.journal = &journal;
    options.disk = &scratch_.disk();
    CheckResult result = check(model_, algorithms().front(), options);
    watch.enter(Watch::Stage::ended, nullptr);
    beginning_.kept_bytes = std::max(beginning_.kept_bytes, room_.used());
    beginning_.seconds = result.seconds;
    beginning_.memory_bytes = result.budget_peak_bytes;
    beginning_.command = check_command(settings_);
    return result;
  }
  const Beginning& beginning() const { return beginning_; }

 private:
  double seconds() const {
    const double wanted = settings_.limits.timeout_seconds;
    return std::isfinite(wanted) ? wanted : kUsualSeconds;
  }
  void note(const Progress& now) {
    if (!now.level_done) return;
    beginning_.levels.set(now.level, now.level_states);
    if (now.next_states != 0) beginning_.levels.set(now.level + 1, now.next_states);
    beginning_.expanded = now.states;
  }

  const CommandSettings& settings_;
  const Model& model_;
  const Temporary folder_;
  Budget room_{kUnlimited}, scratch_room_{kUnlimited};
  Scratch scratch_{{}, &scratch_room_, say_sentence};
  Beginning beginning_;
};

Exit tell(const CheckResult& result, const Beginning& beginning) {
  const Verdict& verdict = result.verdict;
  if (verdict.outcome == Outcome::violated) {
    say(stdout,
        fmt::format("A property is violated at depth {}; this shows the counterexample: {}\n",
                    result.statistics.depth(), beginning.command));
    return verdict.exit;
  }
  if (verdict.outcome == Outcome::error || verdict.exit == Exit::interrupted ||
      verdict.exit == Exit::terminated) {
    say_sentence(verdict.reason);
    return verdict.exit;
  }
  if (verdict.exit != Exit::time && verdict.exit != Exit::memory && verdict.exit != Exit::disk) {
    say(stdout, complete_text(beginning));
    return Exit::verified;
  }
  bool known = false;
  say(stdout, estimate_text(beginning, known));
  return known ? Exit::verified : Exit::time;
}

}  // namespace

int run_estimate(const CommandSettings& settings) {
  need_model(settings, "estimate");
  OpeningOptions reading = settings.reading;
  reading.compiling.memory_beside = memory_bytes(settings);
  LoadedModel loaded = open_model(settings.subject, reading);
  loaded.model->runtime().prepare();
  BeginningOfSearch search(settings, *loaded.model);
  const CheckResult result = search.carry_out();
  say(stdout, fmt::format("{}: {} bits per state\n", printable(settings.subject),
                          loaded.model->steps().row_bits()));
  return static_cast<int>(tell(result, search.beginning()));
}

}  // namespace spillway
