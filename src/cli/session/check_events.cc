#include "cli/session/check_events.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/text/printable.h"
#include "cli/session/output.h"
#include "report/events.h"

namespace spillway {

CheckEvents::~CheckEvents() {
  if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void CheckEvents::open() {
  if (!wanted() || opened_) return;
  opened_ = true;
  file_ = path_ == "-" ? stdout : std::fopen(path_.c_str(), continued_ ? "a" : "w");
  if (file_ == nullptr)
    throw Error(Fault::system, fmt::format("cannot write events to {}: {}", printable(path_),
                                           std::strerror(errno)));
}

double CheckEvents::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void CheckEvents::write(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (file_ == nullptr) return;
  if (std::fputs(line.c_str(), file_) >= 0 && std::fflush(file_) == 0) return;
  say_sentence(fmt::format("cannot write events to {}: {}; there will be no more of them",
                           printable(path_), std::strerror(errno)));
  if (file_ != stdout) std::fclose(file_);
  file_ = nullptr;
}

void CheckEvents::start(const Subject& subject, std::uint64_t earlier_levels) {
  if (wanted()) write(start_event(subject, earlier_levels));
}

void CheckEvents::message(const std::string& text) {
  if (wanted()) write(message_event(seconds(), text));
}

void CheckEvents::follow(const Checkpoints& checkpoints) {
  checkpoints_ = &checkpoints;
  told_ = checkpoints.generation();
}

void CheckEvents::unfollow(std::uint64_t levels) {
  tell_checkpoint(levels);
  checkpoints_ = &Checkpoints::none();
  told_ = 0;
}

// A checkpoint shows when the next level is done.
void CheckEvents::tell_checkpoint(std::uint64_t levels) {
  if (checkpoints_->generation() == told_) return;
  told_ = checkpoints_->generation();
  write(checkpoint_event(seconds(), told_, levels));
}

void CheckEvents::level(const ProgressFigures& figures) {
  if (!wanted()) return;
  tell_checkpoint(figures.progress.level);
  write(level_event(seconds(), figures));
}

void CheckEvents::end(const Subject& subject, const CheckResult& result, int exit_code) {
  if (!wanted()) return;
  open();
  if (subject.model != nullptr)
    for (const PropertyResult& property : result.properties(*subject.model, subject.deadlock))
      if (property.outcome == Outcome::violated) write(finding_event(seconds(), property));
  write(end_event(seconds(), result, exit_code));
}

}  // namespace spillway
