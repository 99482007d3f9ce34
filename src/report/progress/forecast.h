// Forecasts how many states a search will have found when it ends, from the sizes of its levels.
//
// It is an interval, not a promise: docs/design/forecast.md says how often it was right.  Nothing
// is said before there is something to say, so an interval is never wider than a factor of
// about 20. Pure: the same sizes give the same interval.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace spillway {

// The sizes of the levels that are known, from level 0 on without a gap.
class LevelSizes {
 public:
  // Level `level` has `states` states.  What was known of it and of deeper levels is forgotten: a
  // search may begin again.  No effect if the levels before it are not known.
  void set(std::uint64_t level, std::uint64_t states);

  std::size_t count() const { return sums_.size() - 1; }
  std::uint64_t states() const { return sums_.back(); }  // in all of them
  // Of `count` levels, `begin` being the first.  REQUIRES: count > 0, and they are known.
  double mean(std::size_t begin, std::size_t count) const;

 private:
  std::vector<std::uint64_t> sums_ = {0};  // of all levels before
};

template <class Number>
struct Interval {
  Number low{}, high{};
  bool operator==(const Interval&) const = default;
};

// By how many powers of e the levels would grow over the depth so far, at the rate of the last
// third of the levels.  Negative if they shrink.  std::nullopt if there are too few levels.
std::optional<double> growth(const LevelSizes& sizes);

// States in all levels.  std::nullopt: it is too early to tell.
std::optional<Interval<std::uint64_t>> forecast_states(const LevelSizes& sizes);

// What is known of the cost of a search while it goes on.
struct CostSoFar {
  std::uint64_t expanded = 0;    // states, of those that are known
  double recent_rate = 0;        // states a second; 0: unknown
  double mean_rate = 0;          // since the beginning; 0: unknown
  std::uint64_t disk_bytes = 0;  // 0: nothing is on disk
};

struct Forecast {
  Interval<std::uint64_t> states;
  std::optional<Interval<double>> seconds;            // from now on
  std::optional<Interval<std::uint64_t>> disk_bytes;  // at the end
  bool operator==(const Forecast&) const = default;
};
// Time and space in proportion to the states.
std::optional<Forecast> forecast(const LevelSizes& sizes, const CostSoFar& cost);

// Rounded outwards to two digits, for people.
Interval<std::uint64_t> rounded(Interval<std::uint64_t> exact);

}  // namespace spillway
