// The progress of a search, as one line.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "check/facts/limits.h"
#include "check/facts/live_status.h"
#include "check/ranks/rank_figures.h"
#include "check/session/lookout.h"
#include "report/progress/forecast.h"

namespace spillway {

// How fast something grows: over the last seconds only, so that a stall shows.
class RecentRate {
 public:
  static constexpr double kWindowSeconds = 10;

  void add(double seconds, std::uint64_t count);
  // std::nullopt if too little is known.
  std::optional<double> per_second() const;

 private:
  struct Sample {
    double seconds;
    std::uint64_t count;
  };
  std::deque<Sample> samples_;  // the first one is the newest outside the window
};

struct DiskFigures {
  std::uint64_t used_bytes = 0;                  // by the files of the search
  std::uint64_t limit_bytes = kUnlimited;        // for them
  std::optional<std::uint64_t> free_bytes = {};  // on the file systems they are on
};

// What the line says.
struct ProgressFigures {
  Progress progress;
  std::optional<double> recent_rate = {};  // states per second
  std::uint64_t memory_bytes = 0;
  std::uint64_t memory_limit_bytes = 0;
  std::optional<DiskFigures> disk = {};
  Limits limits = {};
  std::optional<Forecast> forecast = {};
  std::vector<RankFigures> ranks = {};  // that share the check; memory and disk are of this one
  unsigned rank = 0;                    // this one
};

// States that this process has expanded.
std::uint64_t expanded_states(const Progress& progress);

// How a search with these levels ends, as far as these figures tell.  std::nullopt as well if a
// limit will end it first.
std::optional<Forecast> forecast(const LevelSizes& sizes, const ProgressFigures& figures);
// "70 s to 4 min"
std::string interval_text(const Interval<double>& seconds);
// "4,100 to 19,000 states in all, 70 s to 4 min to go, 1.0 GiB to 3.2 GiB on disk".
std::string forecast_text(const Forecast& forecast);

inline constexpr std::size_t kAnyWidth = std::numeric_limits<std::size_t>::max();
// One line without newline: "[00:41:07] level 31 63%  6,450,000 states  2,318/s ...", of at most
// `width` characters: sizes are shortened first, then parts at the end are left out.
std::string progress_text(const ProgressFigures& figures, std::size_t width = kAnyWidth);

// The same for a run directory, and back from one.
LiveStatus live_status_of(const ProgressFigures& figures, std::int64_t written);
ProgressFigures figures_of(const LiveStatus& now);

}  // namespace spillway
