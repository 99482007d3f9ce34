// Watches over a check from a thread of its own.
//
// It handles the clock and signals (check/session/signals.h).  Both request a stop; everything that
// takes long polls for it and returns.  What cannot poll, such as native code of a model that does
// not return, is not waited for: after kGraceSeconds the watch gives up on its behalf.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include "check/facts/limits.h"

namespace spillway {

class Session;

class Watch {
 public:
  static constexpr double kGraceSeconds = 1.5;

  struct Duties {
    double timeout_seconds = std::numeric_limits<double>::infinity();  // from now on
    // Reports the status.  The session is nullptr before the search.
    std::function<void(const Session*)> tell;
    // Nothing has stopped in time: reports what is known and ends the process.
    std::function<void(const Session*, Stop)> give_up;
    std::function<void(const std::string&)> say;  // shows a sentence to the user
  };
  // REQUIRES: a Signals object outlives it.
  explicit Watch(Duties duties);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // The stage of the check.  The watch accesses `session` from its own thread until enter() is
  // called again.
  enum class Stage {
    preparing,  // nothing is lost by ending here
    searching,  // data on disk may be lost by ending abruptly
    saving,     // waited for without limit
    tracing,    // gets kGraceSeconds more if the search was stopped
    ended,      // the result is being reported
  };
  void enter(Stage stage, const Session* session);
  // Calls `look` with the session that is being followed, or nullptr.  It ends no sooner.
  void with_session(const std::function<void(const Session*)>& look) {
    const std::lock_guard lock(mutex_);
    look(session_);
  }
  // Sets whether the search has data on disk that a little patience could save.
  void keeps_something(bool keeps) {
    const std::lock_guard lock(mutex_);
    keeps_ = keeps;
  }

 private:
  using Seconds = double;
  void look_on();
  void attend(Seconds now);
  void attend_to_stop(Seconds now);
  Seconds until_next(Seconds now) const;

  const Duties duties_;
  std::mutex mutex_;  // guards the members up to said_
  Stage stage_ = Stage::preparing;
  const Session* session_ = nullptr;
  bool keeps_ = false;
  Seconds deadline_;
  // Time of the stop request that has not been answered yet; negative if there is none.
  Seconds requested_ = -1;
  Stop why_ = Stop::time;  // of the last stop
  bool stopped_ = false;   // a stop has ended the search
  // When to repeat the stop request for the stage that followed.
  Seconds again_ = std::numeric_limits<Seconds>::infinity();
  bool said_ = false;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace spillway
