// Looks on while a check goes on, from a thread of its own.
//
// It knows the clock, and hears signals (run/signals.h).  Both request a stop; whatever takes long looks for that and
// leaves.  What cannot look, such as a model in native code that does not return, is not waited for: after
// kGraceSeconds the watch gives up in its place.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include "run/limits.h"

namespace spillway {

class Run;

class Watch {
 public:
  static constexpr double kGraceSeconds = 1.5;

  struct Duties {
    double timeout_seconds = std::numeric_limits<double>::infinity();  // from now on
    // Somebody wants to know what is going on.  Without a run: before the search.
    std::function<void(const Run*)> tell;
    // Nothing has stopped in time: says what is known, and ends the process.
    std::function<void(const Run*, Stop)> give_up;
    std::function<void(const std::string&)> say;  // a sentence for the user
  };
  // REQUIRES: a Signals that lives longer.
  explicit Watch(Duties duties);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // What goes on.  The watch looks at a run from its own thread until it is told of another one, or of none.
  enum class Stage {
    preparing,  // nothing is lost if it ends
    searching,  // what the run has kept on disk may be lost if it ends in the midst of something
    saving,     // takes as long as it takes
    tracing,    // gets kGraceSeconds more if the search was stopped
    ended,      // the result is told
  };
  void enter(Stage stage, const Run* run);
  // Whether the search keeps something on disk that a little patience could save.
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
  std::mutex mutex_;  // for all of these
  Stage stage_ = Stage::preparing;
  const Run* run_ = nullptr;
  bool keeps_ = false;
  Seconds deadline_;
  Seconds requested_ = -1;  // when the stop was, that nothing has answered yet; negative: there is none
  Stop why_ = Stop::time;   // the last one
  bool stopped_ = false;    // a stop has ended the search
  Seconds again_ = std::numeric_limits<Seconds>::infinity();  // when the stop is requested again, of what follows
  bool said_ = false;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace spillway
