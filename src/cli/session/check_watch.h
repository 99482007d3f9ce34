// Signals, the clock and the progress line of a process that checks a model.  Reports the result in
// place of a check that does not stop.
#pragma once

#include <atomic>

#include "check/session/signals.h"
#include "check/session/watch.h"
#include "cli/session/check_monitor.h"
#include "cli/session/check_report.h"
#include "directory/chosen_run_directory.h"
#include "report/progress/progress_line.h"

namespace spillway {

class CheckWatch {
 public:
  // All of them must outlive it.
  CheckWatch(const CommandSettings& settings, const CheckReport& report, Subject& subject);

  Watch& watch() { return watch_; }
  ProgressLine& progress() { return progress_; }
  Gauges& gauges() { return gauges_; }

  // From now on, `subject` has its model and does not change.
  void know_model() { knows_model_.store(true); }
  // From now on, there may be a run directory.
  void know(const ChosenRunDirectory& chosen) { chosen_.store(&chosen); }

 private:
  Watch::Duties duties();
  [[noreturn]] void give_up(const Session* session, Stop why);

  const CommandSettings& settings_;
  const CheckReport& report_;
  const Subject first_;  // what was known at the start
  Subject& subject_;
  const Signals signals_;
  ProgressLine progress_;
  Gauges gauges_;
  std::atomic<bool> knows_model_{false};
  std::atomic<const ChosenRunDirectory*> chosen_{nullptr};
  Watch watch_;
};

}  // namespace spillway
