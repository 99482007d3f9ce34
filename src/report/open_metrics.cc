#include "report/open_metrics.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "base/text/printable.h"
#include "report/version.h"

namespace spillway {
namespace {

constexpr std::array<std::string_view, 6> kVerdictStates = {
    kRunning, "verified", "verified-probabilistic", "violated", "inconclusive", "error"};

std::string label_text(const std::string& value) {
  std::string safe;
  for (const char c : printable(value)) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c;
  }
  return safe;
}

// Families one after the other, each with its samples.
class MetricsText {
 public:
  void begin(std::string_view name, std::string_view type, std::string_view help,
             std::string_view unit = "") {
    name_ = fmt::format("spillway_{}", name);
    text_ += fmt::format("# TYPE {} {}\n", name_, type);
    if (!unit.empty()) text_ += fmt::format("# UNIT {} {}\n", name_, unit);
    text_ += fmt::format("# HELP {} {}\n", name_, help);
  }
  template <class Number>
  void sample(Number value, std::string_view suffix = "", std::string_view labels = "") {
    text_ += fmt::format("{}{}{} {}\n", name_, suffix,
                         labels.empty() ? "" : fmt::format("{{{}}}", labels), value);
  }
  template <class Number>
  void interval(const Interval<Number>& interval) {
    sample(interval.low, "", "bound=\"low\"");
    sample(interval.high, "", "bound=\"high\"");
  }
  std::string ended() && { return std::move(text_) + "# EOF\n"; }

 private:
  std::string name_;
  std::string text_;
};

void add_forecast(const std::optional<Forecast>& forecast, MetricsText& out) {
  out.begin("forecast_states", "gauge", "States in all, foretold as an interval.");
  if (forecast) out.interval(forecast->states);
  out.begin("forecast_remaining_seconds", "gauge", "Time to go, foretold as an interval.",
            "seconds");
  if (forecast && forecast->seconds) out.interval(*forecast->seconds);
  out.begin("forecast_disk_bytes", "gauge", "Disk space at the end, foretold as an interval.",
            "bytes");
  if (forecast && forecast->disk_bytes) out.interval(*forecast->disk_bytes);
}

}  // namespace

std::string open_metrics(const MetricsFigures& figures) {
  MetricsText out;
  out.begin("check", "info", "What is checked, and by which version.");
  out.sample(1, "_info",
             fmt::format("model=\"{}\",version=\"{}\"", label_text(figures.model), kVersion));
  out.begin("verdict", "stateset", "The verdict, or that the check is still running.");
  for (const std::string_view state : kVerdictStates)
    out.sample(figures.verdict == state ? 1 : 0, "", fmt::format("spillway_verdict=\"{}\"", state));
  out.begin("states", "counter", "States found so far.");
  out.sample(figures.states, "_total");
  out.begin("transitions", "counter", "Transitions out of the states of complete levels.");
  out.sample(figures.transitions, "_total");
  out.begin("levels", "counter", "Complete levels.");
  out.sample(figures.levels, "_total");
  out.begin("violated_properties", "gauge", "Properties that are violated.");
  out.sample(figures.violated_properties);
  out.begin("elapsed_seconds", "gauge", "Time since the search began.", "seconds");
  out.sample(figures.seconds);
  out.begin("states_per_second", "gauge", "States expanded a second, over the last ten seconds.");
  if (figures.states_per_second) out.sample(*figures.states_per_second);
  out.begin("memory_bytes", "gauge", "Memory in use.", "bytes");
  out.sample(figures.memory_bytes);
  out.begin("peak_memory_bytes", "gauge", "The most memory that was in use.", "bytes");
  out.sample(figures.peak_memory_bytes);
  out.begin("memory_limit_bytes", "gauge", "Memory that the check may use.", "bytes");
  out.sample(figures.memory_limit_bytes);
  out.begin("disk_bytes", "gauge", "Disk space in use by files of the search.", "bytes");
  out.sample(figures.disk_bytes);
  add_forecast(figures.forecast, out);
  return std::move(out).ended();
}

}  // namespace spillway
