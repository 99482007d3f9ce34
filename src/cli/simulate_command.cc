#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <iostream>

#include "base/error.h"
#include "base/process/identity.h"
#include "base/text/printable.h"
#include "check/session/signals.h"
#include "check/simulation.h"
#include "cli/commands.h"
#include "cli/options/given_options.h"
#include "cli/options/memory.h"
#include "cli/session/output.h"
#include "cli/step_by_hand.h"
#include "report/json.h"
#include "report/simulation_text.h"
#include "report/text.h"

namespace spillway {
namespace {

constexpr std::uint64_t kUsualWalks = 1000;
// What is drawn is short enough to be typed again.
constexpr std::uint64_t kMostDrawn = 1'000'000'000;

SimulationOptions walks_wanted(const CommandSettings& settings, const Subject& subject) {
  SimulationOptions options;
  options.seed = settings.walk.seed.value_or(drawn_number() % kMostDrawn);
  const bool timed = std::isfinite(settings.limits.timeout_seconds);
  options.walks = settings.walk.walks.value_or(timed ? kUnlimited : kUsualWalks);
  options.depth = settings.walk.depth;
  options.threads = subject.threads;
  options.deadlock = subject.deadlock;
  return options;
}

Subject subject_of(const CommandSettings& settings, const LoadedModel& loaded) {
  Subject subject = given_subject(settings);
  subject.sha256 = loaded.sha256;
  subject.model = loaded.model.get();
  subject.deadlock = settings.deadlock.value_or(loaded.model->deadlock());
  subject.algorithm = "simulate";
  subject.could_be_kept = false;
  subject.diagnostics = loaded.warnings;
  return subject;
}

std::FILE* stream_of(const CommandSettings& settings) {
  return settings.json_file == "-" ? stderr : stdout;
}

// Nothing is ever verified.
int exit_code(const CommandSettings& settings, const Verdict& verdict) {
  if (!settings.simple_exit_codes) return static_cast<int>(verdict.exit);
  return verdict.outcome == Outcome::violated ? 1 : 2;
}

CheckResult walk(const CommandSettings& settings, LoadedModel& loaded, const Subject& subject) {
  const Signals signals;
  Watch::Duties duties;
  duties.timeout_seconds = settings.limits.timeout_seconds;
  duties.say = say_sentence;
  duties.give_up = [](const Session*, Stop) {
    say_sentence("a step of the model does not return, so nothing is known");
    _exit(static_cast<int>(Exit::time));
  };
  Watch watch(std::move(duties));
  SimulationOptions options = walks_wanted(settings, subject);
  options.watch = &watch;
  try {
    loaded.model->runtime().prepare();
  } catch (const Stopped&) {  // the walks end before they begin
  }
  CheckResult result = simulate(*loaded.model, options);
  watch.enter(Watch::Stage::ended, nullptr);
  return result;
}

int walk_at_random(const CommandSettings& settings, LoadedModel& loaded) {
  const Subject subject = subject_of(settings, loaded);
  check_can_write(settings.json_file);
  std::FILE* const stream = stream_of(settings);
  if (!settings.quiet) say(stream, opening_text(subject));
  const CheckResult result = walk(settings, loaded, subject);
  const TextStyle style{settings.quiet, settings.verbose, wants_color(stream, settings.color),
                        settings.trace};
  say_text(stream,
           [&](const TextSink& sink) { write_simulation_text(subject, result, style, sink); });
  const int code = exit_code(settings, result.verdict);
  if (!settings.json_file.empty())
    write_file(settings.json_file,
               [&](const TextSink& sink) { write_json(subject, result, code, sink); });
  return code;
}

int walk_by_hand(const CommandSettings& settings, LoadedModel& loaded) {
  loaded.model->runtime().prepare();
  StepByHand steps(*loaded.model, settings.deadlock.value_or(loaded.model->deadlock()),
                   [](const std::string& text) { say(stdout, text); });
  steps.run(std::cin, isatty(STDIN_FILENO) == 1);
  return 0;
}

}  // namespace

int run_simulate(const CommandSettings& settings) {
  need_model(settings, "simulate");
  OpeningOptions reading = settings.reading;
  reading.symmetry = SymmetryMode::off;  // walks go through the states themselves
  reading.compiling.memory_beside = memory_bytes(settings);
  // A person is never faster than the interpreter.
  if (settings.walk.by_hand) reading.executed = Executed::interpreted;
  LoadedModel loaded = open_model(settings.subject, reading);
  for (const Diagnostic& warning : loaded.warnings) say(stderr, warning.text());
  return settings.walk.by_hand ? walk_by_hand(settings, loaded) : walk_at_random(settings, loaded);
}

}  // namespace spillway
