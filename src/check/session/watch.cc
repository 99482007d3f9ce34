#include "check/session/watch.h"

#include <algorithm>
#include <chrono>

#include "check/session/session.h"
#include "check/session/signals.h"

namespace spillway {
namespace {

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

StopReason reason_of(Stop stop) {
  switch (stop) {
    case Stop::interrupted: return StopReason::interrupted;
    case Stop::terminated: return StopReason::terminated;
    default: return StopReason::time;
  }
}

}  // namespace

Watch::Watch(Duties duties)
    : duties_(std::move(duties)), deadline_(now_seconds() + duties_.timeout_seconds) {
  // no matter when the thread begins
  if (duties_.timeout_seconds <= 0) stop_request::make(StopReason::time);
  thread_ = std::thread([this] { look_on(); });
}

Watch::~Watch() {
  over_.store(true);
  Signals::wake();
  thread_.join();
}

void Watch::enter(Stage stage, const Session* session) {
  const std::lock_guard lock(mutex_);
  const bool was_searching = stage_ == Stage::preparing || stage_ == Stage::searching;
  if (was_searching && stage > Stage::searching && stop_request::made()) {
    why_ = requested_stop().value_or(why_);
    stopped_ = true;
    stop_request::withdraw();
  }
  if (stage == Stage::ended) stop_request::withdraw();  // too late to change anything
  stage_ = stage;
  session_ = session;
  requested_ = stage == Stage::saving && stopped_ ? now_seconds() : -1;
  said_ = false;
  again_ = std::numeric_limits<Seconds>::infinity();
  if (stage == Stage::tracing && stopped_) again_ = now_seconds() + kGraceSeconds / 2;
  Signals::wake();
}

void Watch::look_on() {
  while (!over_.load()) {
    Seconds wait = 0;
    {
      const std::lock_guard lock(mutex_);
      attend(now_seconds());
      wait = until_next(now_seconds());
    }
    Signals::wait(wait);
  }
}

Watch::Seconds Watch::until_next(Seconds now) const {
  Seconds next = std::min(deadline_, again_);
  if (requested_ >= 0) next = std::min(next, said_ ? now + 1 : requested_ + kGraceSeconds);
  return next - now;
}

void Watch::attend(Seconds now) {
  if (Signals::status_wanted() && duties_.tell) duties_.tell(session_);
  if (now >= deadline_) {
    deadline_ = std::numeric_limits<Seconds>::infinity();
    // What was found when the time was up may still be told.
    if (stage_ <= Stage::searching || (stage_ == Stage::tracing && !stopped_))
      stop_request::note(StopReason::time);
  }
  if (now >= again_) {
    again_ = std::numeric_limits<Seconds>::infinity();
    stop_request::note(reason_of(why_));
  }
  if (stop_request::made()) {
    stop_request::spread();
    if (requested_ < 0) requested_ = now;
  }
  if (requested_ >= 0) attend_to_stop(now);
}

// A stop was requested, and nothing has entered another stage since.
void Watch::attend_to_stop(Seconds now) {
  if (now - requested_ < kGraceSeconds || stage_ == Stage::ended) return;
  // A thread that is inside the model after so long does not come back.
  const bool patient =
      stage_ == Stage::saving || (stage_ == Stage::searching && keeps_ && session_ != nullptr &&
                                  !session_->expanders.is_inside_model());
  if (!patient) return duties_.give_up(session_, requested_stop().value_or(why_));
  if (!said_ && duties_.say)
    duties_.say(
        "stopping: the last checkpoint is being completed; a second signal ends the process at "
        "once");
  said_ = true;
}

}  // namespace spillway
