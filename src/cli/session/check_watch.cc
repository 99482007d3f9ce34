#include "cli/session/check_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text/printable.h"
#include "cli/session/output.h"

namespace spillway {

CheckWatch::CheckWatch(const CommandSettings& settings, const CheckReport& report, Subject& subject)
    : settings_(settings),
      report_(report),
      first_(subject),
      subject_(subject),
      progress_(stderr),
      gauges_(settings.limits, subject.memory_bytes),
      watch_(duties()) {}

Watch::Duties CheckWatch::duties() {
  Watch::Duties duties;
  duties.timeout_seconds = settings_.limits.timeout_seconds;
  duties.tell = [this](const Session* session) {
    if (session != nullptr)
      progress_.announce(progress_text(gauges_.figures(session->levels.progress())));
    else
      progress_.announce(fmt::format("spillway: preparing {}", printable(subject_.path)));
  };
  duties.say = [this](const std::string& sentence) { progress_.announce("spillway: " + sentence); };
  duties.give_up = [this](const Session* session, Stop why) { give_up(session, why); };
  return duties;
}

// What CheckSession does at the end, without anything that waits for what has not stopped.
void CheckWatch::give_up(const Session* session, Stop why) {
  progress_.clear();
  CheckResult result = unanswered(session, why);
  const ChosenRunDirectory* const chosen = chosen_.load();
  const bool stays = chosen != nullptr && chosen->stays(result.verdict);
  // Before the model is known, another thread may still write to the rest of it.
  Subject subject = knows_model_.load() ? subject_ : first_;
  if (stays) subject.run_directory = chosen->directory()->path();
  say_sentence(fmt::format("{} does not stop; reporting what is known so far",
                           session != nullptr ? "the search" : "the preparation"));
  try {
    report_.tell(subject, result);
    if (stays)
      chosen->directory()->write_result(
          report_.document(subject, result, CheckReport::Use::run_directory));
  } catch (const Error& error) {
    say_sentence(error.what());
    _exit(static_cast<int>(Exit::system));
  }
  _exit(report_.exit_code(result));  // no destructor waits for what does not return
}

}  // namespace spillway
