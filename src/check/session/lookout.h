// What every search asks now and then: is it time to stop, and does anybody want to see how far it
// has come?
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>

#include "base/process/stop_request.h"
#include "check/facts/limits.h"
#include "check/facts/phase.h"

namespace spillway {

// Thrown by what a search calls: the search is over, and the lookout or the findings know why.
// Caught by check(), and by a search that ends one phase and continues with another.
struct Finished {};

// How far a check has come.
struct Progress {
  bool level_done = false;  // false: within the level
  std::uint64_t level = 0;
  std::uint64_t level_states = 0;  // in this level
  std::uint64_t expanded = 0;      // of them
  std::uint64_t next_states = 0;   // in the next level, if level_done
  std::uint64_t states = 0;        // in all levels up to this one
  std::uint64_t transitions = 0;   // out of the completed levels
  double seconds = 0;
  std::uint64_t earlier_states = 0;  // expanded by the checks that this one resumes
  Phase phase = Phase::expanding;
};
using Observer = std::function<void(const Progress&)>;

class Lookout {
 public:
  struct Options {
    double timeout_seconds = std::numeric_limits<double>::infinity();
    const StopToken* stop = &stop_request::token;
    Observer observer;           // called by worker 0 only; may be empty
    double observe_seconds = 1;  // between two calls
    // Receives one-off events, one sentence each; may be empty.
    std::function<void(const std::string&)> announcer;
    // Whether other ranks have left the search, which is polled as well; may be empty.
    std::function<bool()> is_left;
  };
  // `progress` may be called by any thread.
  Lookout(Options options, std::function<Progress()> progress);

  // Polls clock and stop request; worker 0 also calls the observer.  May throw Finished.
  void look_up(unsigned worker = 0);
  double seconds() const;  // since construction

  // Ends the search.  Without a reason, the findings are the reason.
  [[noreturn]] void finish(std::optional<Stop> why);
  // The same because of the stop request, after work that polls it was abandoned.
  [[noreturn]] void finish_as_requested();
  // Records why the search ended, unless a reason is known.
  void note_stop(Stop why);
  std::optional<Stop> stop() const;

  // What the search is busy with.  Any thread.
  Phase phase() const { return phase_.load(std::memory_order_relaxed); }

  // Reports something to the user.  One thread at a time.
  void announce(const std::string& sentence) const;
  void observe(const Progress& progress) const;

 private:
  friend class InPhase;

  const Options options_;
  const std::function<Progress()> progress_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double observed_ = 0;  // seconds at the last call of the observer
  mutable std::mutex mutex_;
  std::optional<Stop> stop_;
  std::atomic<Phase> phase_{Phase::expanding};
};

// The search is in this phase until the end of the scope.
class InPhase {
 public:
  InPhase(Lookout& lookout, Phase phase)
      : lookout_(lookout), before_(lookout.phase_.exchange(phase)) {}
  ~InPhase() { lookout_.phase_.store(before_); }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Lookout& lookout_;
  const Phase before_;
};

}  // namespace spillway
