// The course of a check: what it had found and used from time to time, for the report.
//
// However long a check takes, a few hundred moments are kept: when there are too many, every second
// one goes, and from then on they are twice as far apart.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "report/page/report_html.h"
#include "report/progress/progress.h"

namespace spillway {

class History {
 public:
  static constexpr std::size_t kMostMoments = 400;

  // What is known now.  Any thread.
  void note(const ProgressFigures& figures);
  // The same, from one that looks at regular times: what the search is busy with is what it was
  // busy with since the last look.
  void note_look(const ProgressFigures& figures);

  // Adds the course so far.
  void add_to(ReportExtras& extras) const;

 private:
  void add(const ProgressFigures& figures);  // REQUIRES: the lock is held

  mutable std::mutex mutex_;
  std::vector<Moment> moments_;
  double apart_ = 0.01;  // seconds between two of them
  double looked_ = 0;    // when the last look was
  std::array<double, kPhases.size()> phases_ = {};
};

// The course of a check that is told by the levels in its events.  Lines that are no such events
// are left out.
std::vector<Moment> moments_of_events(const std::string& text);

}  // namespace spillway
