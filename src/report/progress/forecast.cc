#include "report/progress/forecast.h"

#include <algorithm>
#include <cmath>

namespace spillway {
namespace {

// Fitted to 120 state spaces by bench/forecast.py, which also shows what they are worth.
constexpr double kSlope = 0.29, kLow = -3.0, kHigh = 0.1;
constexpr double kLeastGrowth = -4;      // what shrinks faster may grow again all the same
constexpr double kMostTimes = 20;        // an upper end that is further away says nothing
constexpr std::size_t kLeastLevels = 8;  // fewer have no shape
constexpr std::uint64_t kLeastStates = 500;
constexpr std::size_t kMostPoints = 32;  // so that a forecast costs the same after a million levels

constexpr double kMostStates = 9e18;  // of 64 bits

std::uint64_t whole(double number) {
  return static_cast<std::uint64_t>(std::clamp(number, 0.0, kMostStates));
}

}  // namespace

void LevelSizes::set(std::uint64_t level, std::uint64_t states) {
  if (level >= sums_.size()) return;
  sums_.resize(level + 1);
  sums_.push_back(sums_.back() + states);
}

double LevelSizes::mean(std::size_t begin, std::size_t count) const {
  return static_cast<double>(sums_[begin + count] - sums_[begin]) / static_cast<double>(count);
}

std::optional<double> growth(const LevelSizes& sizes) {
  if (sizes.count() < kLeastLevels) return std::nullopt;
  const std::size_t window = std::max<std::size_t>(4, sizes.count() / 3);
  const std::size_t each = (window + kMostPoints - 1) / kMostPoints;
  const std::size_t points = window / each;
  const std::size_t begin = sizes.count() - points * each;
  const double middle = static_cast<double>(points - 1) / 2;
  double together = 0, squares = 0;
  for (std::size_t i = 0; i < points; ++i) {
    const double mean = sizes.mean(begin + i * each, each);
    if (mean <= 0) return std::nullopt;
    const double distance = static_cast<double>(i) - middle;
    together += distance * std::log(mean);
    squares += distance * distance;
  }
  return together / squares / static_cast<double>(each) * static_cast<double>(sizes.count());
}

std::optional<Interval<std::uint64_t>> forecast_states(const LevelSizes& sizes) {
  const std::optional<double> known = growth(sizes);
  if (!known || sizes.states() < kLeastStates) return std::nullopt;
  const double high = std::exp(kHigh + kSlope * std::max(*known, kLeastGrowth));
  if (high > std::log(kMostTimes)) return std::nullopt;
  const auto states = static_cast<double>(sizes.states());
  return Interval<std::uint64_t>{whole(states * std::exp(std::exp(kLow + kSlope * *known))),
                                 whole(states * std::exp(high))};
}

std::optional<Forecast> forecast(const LevelSizes& sizes, const CostSoFar& cost) {
  const std::optional<Interval<std::uint64_t>> states = forecast_states(sizes);
  if (!states) return std::nullopt;
  Forecast all{*states, {}, {}};
  const double fast = std::max(cost.recent_rate, cost.mean_rate);
  const double slow = std::min(cost.recent_rate > 0 ? cost.recent_rate : fast,
                               cost.mean_rate > 0 ? cost.mean_rate : fast);
  const auto rest = [&](std::uint64_t end) {
    return static_cast<double>(end - std::min(end, cost.expanded));
  };
  if (slow > 0) all.seconds = {rest(states->low) / fast, rest(states->high) / slow};
  if (cost.disk_bytes != 0) {
    const double each = static_cast<double>(cost.disk_bytes) / static_cast<double>(sizes.states());
    all.disk_bytes = {whole(each * static_cast<double>(states->low)),
                      whole(each * static_cast<double>(states->high))};
  }
  return all;
}

Interval<std::uint64_t> rounded(Interval<std::uint64_t> exact) {
  const auto unit_of = [](std::uint64_t number) {
    std::uint64_t unit = 1;
    while (number / unit >= 100) unit *= 10;
    return unit;
  };
  const std::uint64_t low = unit_of(exact.low), high = unit_of(exact.high);
  const std::uint64_t up = exact.high / high * high;
  return {exact.low / low * low, up == exact.high ? up : up + high};
}

}  // namespace spillway
