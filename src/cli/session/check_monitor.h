// Follows a check while it is under way: shows its progress, and writes where it is into the run
// directory.
//
// It has a thread of its own, because file systems may keep it waiting, which must not happen to
// the watch (check/session/watch.h).
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/memory/budget.h"
#include "check/ranks/cluster.h"
#include "check/session/watch.h"
#include "directory/run_directory.h"
#include "report/page/history.h"
#include "report/progress/progress_line.h"

namespace spillway {

// The figures beside the progress itself.  Any thread.
class Gauges {
 public:
  Gauges(const Limits& limits, std::uint64_t memory_limit_bytes);

  // Adds what is known now to the progress.
  ProgressFigures figures(const Progress& progress) const;
  // Remembers how far the search is, for the recent rate and the forecast.
  void sample(const Progress& progress);
  void set_disk(const DiskFigures& disk);
  // The other ranks, if there are any.  REQUIRES: they outlive it.
  void know_ranks(Cluster& cluster);
  // The levels of the checks that this one resumes, the last one not expanded yet.
  void know_levels(const std::vector<Level>& levels, std::uint64_t next_states);

 private:
  mutable std::mutex mutex_;
  ProgressFigures known_;
  RecentRate rate_;
  LevelSizes levels_;
  Cluster* cluster_ = &Cluster::alone();
};

class CheckMonitor {
 public:
  static constexpr double kNowSeconds = 5;    // between two texts in the run directory
  static constexpr double kHintSeconds = 60;  // until it is said that nothing is kept

  struct Duties {
    ProgressLine* line = nullptr;  // nullptr: nothing is shown
    History* history = nullptr;    // nullptr: nobody wants to know
    const RunDirectory* directory = nullptr;
    const Budget* disk_room = nullptr;  // nullptr: the search does not use a disk
    std::vector<std::string> places;    // directories with files of the search
    bool could_be_kept = false;         // by an option that was not given
  };
  // All of them must outlive it.
  CheckMonitor(Watch& watch, Gauges& gauges, Duties duties);
  ~CheckMonitor();
  CheckMonitor(const CheckMonitor&) = delete;
  CheckMonitor& operator=(const CheckMonitor&) = delete;

 private:
  void look_on();
  void look();
  void measure_disk();
  void write_live_status(const ProgressFigures& figures);

  Watch& watch_;
  Gauges& gauges_;
  const Duties duties_;
  bool hinted_ = false;
  bool can_write_ = true;
  double next_now_ = 1;  // seconds of the search
  std::mutex mutex_;
  std::condition_variable end_;
  bool ending_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace spillway
