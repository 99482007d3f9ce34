#include "report/progress/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text/quantity.h"

namespace spillway {
namespace {

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds);
  return fmt::format("{:02}:{:02}:{:02}", whole / 3600, whole % 3600 / 60, whole % 60);
}

// "3.2G" instead of "3.2 GiB".
std::string size_text(std::uint64_t bytes, bool compact) {
  std::string text = bytes_text(bytes);
  if (!compact) return text;
  const std::size_t blank = text.find(' ');
  return text.substr(0, blank) + text.substr(blank + 1, 1);
}

std::string level_text(const Progress& p, const Limits& limits) {
  std::string text = fmt::format("level {}", with_commas(p.level));
  if (limits.max_depth != kUnlimited) text += fmt::format(" of {}", with_commas(limits.max_depth));
  if (p.phase != Phase::expanding) return fmt::format("{}, {}", text, phase_text(p.phase));
  if (p.level_done || p.level_states == 0) return text;
  const double share = static_cast<double>(p.expanded) / static_cast<double>(p.level_states);
  return text + fmt::format(" {}%", std::min(100, static_cast<int>(100 * share)));
}

// The rest of this level, at the recent rate: what comes after it nobody knows.
std::string rest_text(const ProgressFigures& figures) {
  const Progress& p = figures.progress;
  constexpr double kLeastSeconds = 60;
  if (p.level_done || p.phase != Phase::expanding || p.expanded >= p.level_states) return "";
  if (!figures.recent_rate || *figures.recent_rate < 1) return "";
  const double rest = static_cast<double>(p.level_states - p.expanded) / *figures.recent_rate;
  return rest < kLeastSeconds ? "" : fmt::format("level done in about {}", seconds_text(rest));
}

// "4,100 to 19,000 states"
std::string states_text(const Forecast& forecast) {
  const Interval<std::uint64_t> states = rounded(forecast.states);
  return fmt::format("{} to {} states", with_commas(states.low), with_commas(states.high));
}

// Of an interval, whose ends need no seconds.
std::string time_text(double seconds) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  const auto in = [&](double unit) { return std::llround(seconds / unit); };
  if (seconds < 100) return fmt::format("{} s", std::max(1LL, in(1)));
  if (seconds < 100 * kMinute) return fmt::format("{} min", in(kMinute));
  if (seconds < 100 * kHour) return fmt::format("{} h", in(kHour));
  return fmt::format("{} days", with_commas(static_cast<std::uint64_t>(in(kDay))));
}

// "4 ranks, skew 1.03, sent 1.2 GiB, waited 12 s at most"
std::string ranks_text(const std::vector<RankFigures>& ranks, bool compact) {
  std::string text = fmt::format("{} ranks, skew {:.2f}", ranks.size(), skew(ranks));
  if (compact) return text;
  std::uint64_t longest = 0;
  for (const RankFigures& one : ranks) longest = std::max(longest, one.waited_milliseconds);
  return fmt::format("{}, sent {}, waited {} at most", text, bytes_text(sum(ranks).bytes_sent),
                     seconds_text(static_cast<double>(longest) / 1000));
}

// In order of importance.
std::vector<std::string> parts_of(const ProgressFigures& figures, bool compact) {
  const Progress& p = figures.progress;
  const Limits& limits = figures.limits;
  std::vector<std::string> parts;
  const bool timed = std::isfinite(limits.timeout_seconds);
  parts.push_back(fmt::format("[{}{}] {}", clock_text(p.seconds),
                              timed ? " of " + clock_text(limits.timeout_seconds) : "",
                              level_text(p, limits)));
  parts.push_back(
      fmt::format("{}{} states", with_commas(p.states),
                  limits.max_states == kUnlimited ? "" : " of " + with_commas(limits.max_states)));
  if (figures.recent_rate)
    parts.push_back(fmt::format("{}{}",
                                with_commas(static_cast<std::uint64_t>(*figures.recent_rate)),
                                compact ? "/s" : " states/s"));
  const bool alone = figures.ranks.empty();
  const RankFigures all = sum(figures.ranks);
  if (figures.memory_limit_bytes != 0)
    parts.push_back(fmt::format(
        "{} {} of {}", compact ? "mem" : "memory",
        size_text(alone ? figures.memory_bytes : all.memory_bytes, compact),
        size_text(alone ? figures.memory_limit_bytes : all.memory_limit_bytes, compact)));
  if (const std::optional<DiskFigures>& disk = figures.disk; disk && alone) {
    std::string text = "disk " + size_text(disk->used_bytes, compact);
    if (disk->limit_bytes != kUnlimited) text += " of " + size_text(disk->limit_bytes, compact);
    if (disk->free_bytes) text += fmt::format(", {} free", size_text(*disk->free_bytes, compact));
    parts.push_back(std::move(text));
  }
  if (all.disk_bytes != 0) parts.push_back("disk " + size_text(all.disk_bytes, compact));
  if (!alone) parts.push_back(ranks_text(figures.ranks, compact));
  if (figures.forecast)
    parts.push_back("forecast " +
                    (compact ? states_text(*figures.forecast) : forecast_text(*figures.forecast)));
  if (p.level_done && p.level_states != 0 && p.next_states != 0)
    parts.push_back(
        fmt::format("next level {} (x{:.2f})", with_commas(p.next_states),
                    static_cast<double>(p.next_states) / static_cast<double>(p.level_states)));
  if (std::string rest = rest_text(figures); !rest.empty()) parts.push_back(std::move(rest));
  return parts;
}

}  // namespace

void RecentRate::add(double seconds, std::uint64_t count) {
  samples_.push_back({seconds, count});
  while (samples_.size() > 2 && samples_[1].seconds <= seconds - kWindowSeconds)
    samples_.pop_front();
}

std::optional<double> RecentRate::per_second() const {
  constexpr double kLeastSeconds = 0.4;
  if (samples_.empty()) return std::nullopt;
  const double seconds = samples_.back().seconds - samples_.front().seconds;
  if (seconds < kLeastSeconds) return std::nullopt;
  const std::uint64_t before = std::min(samples_.front().count, samples_.back().count);
  return static_cast<double>(samples_.back().count - before) / seconds;
}

std::uint64_t expanded_states(const Progress& p) {
  const std::uint64_t all =
      p.states - std::min(p.states, p.level_states) + std::min(p.expanded, p.level_states);
  return all - std::min(all, p.earlier_states);
}

std::string progress_text(const ProgressFigures& figures, std::size_t width) {
  std::string text;
  for (const bool compact : {false, true}) {
    text = fmt::format("{}", fmt::join(parts_of(figures, compact), "  "));
    if (text.size() <= width) return text;
  }
  std::vector<std::string> parts = parts_of(figures, true);
  while (parts.size() > 1 && text.size() > width) {
    parts.pop_back();
    text = fmt::format("{}", fmt::join(parts, "  "));
  }
  return text.substr(0, width);
}

std::optional<Forecast> forecast(const LevelSizes& sizes, const ProgressFigures& figures) {
  const Progress& p = figures.progress;
  if (figures.limits.max_depth != kUnlimited) return std::nullopt;
  const std::uint64_t mine = expanded_states(p);
  CostSoFar cost;
  cost.expanded = p.earlier_states + mine;
  cost.recent_rate = figures.recent_rate.value_or(0);
  if (p.seconds > 0) cost.mean_rate = static_cast<double>(mine) / p.seconds;
  if (figures.disk) cost.disk_bytes = figures.disk->used_bytes;
  std::optional<Forecast> said = forecast(sizes, cost);
  if (said && said->states.high > figures.limits.max_states) return std::nullopt;
  return said;
}

std::string interval_text(const Interval<double>& seconds) {
  return fmt::format("{} to {}", time_text(seconds.low), time_text(seconds.high));
}

std::string forecast_text(const Forecast& forecast) {
  std::string text = states_text(forecast) + " in all";
  if (const auto& seconds = forecast.seconds)
    text += fmt::format(", {} to go", interval_text(*seconds));
  if (const auto& disk = forecast.disk_bytes)
    text += fmt::format(", {} to {} on disk", bytes_text(disk->low), bytes_text(disk->high));
  return text;
}

LiveStatus live_status_of(const ProgressFigures& figures, std::int64_t written) {
  const Progress& p = figures.progress;
  LiveStatus now;
  now.written = written;
  now.phase = p.phase;
  now.level = p.level;
  now.level_states = p.level_states;
  now.expanded = p.expanded;
  now.states = p.states;
  now.seconds = static_cast<std::uint64_t>(p.seconds);
  now.states_per_second = static_cast<std::uint64_t>(figures.recent_rate.value_or(0));
  now.memory_bytes = figures.memory_bytes;
  now.memory_limit_bytes = figures.memory_limit_bytes;
  now.disk_bytes = figures.disk ? figures.disk->used_bytes : 0;
  if (figures.rank < figures.ranks.size()) {
    const RankFigures& own = figures.ranks[figures.rank];
    now.own_states = own.states;
    now.bytes_sent = own.bytes_sent;
    now.bytes_received = own.bytes_received;
    now.waited_milliseconds = own.waited_milliseconds;
  }
  return now;
}

ProgressFigures figures_of(const LiveStatus& now) {
  ProgressFigures figures;
  Progress& p = figures.progress;
  p.phase = now.phase;
  p.level = now.level;
  p.level_states = now.level_states;
  p.expanded = now.expanded;
  p.states = now.states;
  p.seconds = static_cast<double>(now.seconds);
  figures.recent_rate = static_cast<double>(now.states_per_second);
  figures.memory_bytes = now.memory_bytes;
  figures.memory_limit_bytes = now.memory_limit_bytes;
  figures.disk = DiskFigures{now.disk_bytes};
  return figures;
}

}  // namespace spillway
