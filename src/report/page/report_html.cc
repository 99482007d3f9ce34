#include "report/page/report_html.h"

#include <nlohmann/json.hpp>

#include "report/page/page_texts.h"
#include "report/progress/forecast.h"
#include "report/trace/saved_trace.h"
#include "report/trace/trace_data.h"
#include "report/words/result_depths.h"

namespace spillway {
namespace {

using Report = nlohmann::ordered_json;

// What the page counts on, and what it gets where a result has something else.
Report usual_members() {
  const Report none = nullptr, text = "", zero = 0, list = Report::array();
  return {{"verdict", text},
          {"reason", text},
          {"complete", false},
          {"exit_code", zero},
          {"properties", list},
          {"assumptions", list},
          {"coverage", none},
          {"states", zero},
          {"transitions", zero},
          {"depth", none},
          {"digest", text},
          {"levels", list},
          {"products", list},
          {"run_semantics", none},
          {"algorithm", text},
          {"symmetry", text},
          {"executions", list},
          {"diagnostics", list},
          {"threads", zero},
          {"seconds", zero},
          {"earlier_seconds", zero},
          {"run_directory", none},
          {"memory_limit_bytes", zero},
          {"peak_memory_bytes", zero},
          {"time_split", none},
          {"counters", none},
          {"disk_bytes_written", zero},
          {"disk_bytes_read", zero},
          {"constants", none},
          {"deadlock", none},
          {"command", list},
          {"spillway", {{"version", text}, {"commit", none}}},
          {"model", {{"path", text}, {"sha256", none}, {"row_bits", none}, {"row_bytes", none}}}};
}

bool of_same_kind(const Report& a, const Report& b) {
  return (a.is_number() && b.is_number()) || a.type() == b.type();
}

// The members that the page shows, each of the right type.  Counterexamples are apart.
Report shown_members(const Report& document) {
  Report shown = usual_members();
  for (auto& [name, value] : shown.items()) {
    const auto found = document.find(name);
    if (found != document.end() && (value.is_null() || of_same_kind(*found, value))) value = *found;
  }
  return shown;
}

// Without what is long and not shown as it is: as objects it takes some twenty times as much.
Report without_long_lists(const std::string& document) {
  return Report::parse(document, [](int depth, Report::parse_event_t event, Report& value) {
    if (event != Report::parse_event_t::key) return true;
    return depth == kOfResult ? value != "level_digests"
                              : depth != kOfProperty || value != "counterexample";
  });
}

// Of more levels nobody looks for the forecast of one.
constexpr std::size_t kMostForecasts = 20'000;

// What was foretold when each level was done, as the progress line foretold it.
Report forecasts_of(const Report& levels) {
  Report all = Report::array();
  if (levels.size() > kMostForecasts) return all;
  LevelSizes sizes;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!levels[i].is_number_unsigned()) return Report::array();
    sizes.set(i, levels[i].get<std::uint64_t>());
    const bool more = i + 1 < levels.size() && levels[i + 1].is_number_unsigned();
    if (more) sizes.set(i + 1, levels[i + 1].get<std::uint64_t>());
    const auto states = more ? forecast_states(sizes) : std::nullopt;
    all.push_back(states ? Report{states->low, states->high} : Report());
  }
  return all;
}

Report moments_of(const std::vector<Moment>& moments) {
  Report all = Report::array();
  for (const Moment& moment : moments)
    all.push_back({{"seconds", moment.seconds},
                   {"level", moment.level},
                   {"states", moment.states},
                   {"memory_bytes", moment.memory_bytes},
                   {"disk_bytes", moment.disk_bytes}});
  return all;
}

Report live_of(const LiveFigures& live) {
  const ProgressFigures& figures = live.figures;
  const Progress& progress = figures.progress;
  return {{"running", live.running},
          {"phase", phase_text(progress.phase)},
          {"level", progress.level},
          {"level_states", progress.level_states},
          {"expanded", progress.expanded},
          {"states", progress.states},
          {"seconds", progress.seconds},
          {"rate", figures.recent_rate ? Report(*figures.recent_rate) : Report()},
          {"memory_bytes", figures.memory_bytes},
          {"disk_bytes", figures.disk ? figures.disk->used_bytes : 0},
          {"forecast", figures.forecast ? Report(forecast_text(*figures.forecast)) : Report()}};
}

}  // namespace

std::string report_data(const std::string& document, const std::string& name,
                        const ReportExtras& extras) {
  const std::vector<SavedTrace> traces = read_traces(document, name);  // throws if it is no result
  Report data;
  data["result"] = shown_members(without_long_lists(document));
  data["traces"] = Report::array();
  for (const SavedTrace& trace : traces) data["traces"].push_back(trace_data(trace));
  data["forecasts"] = forecasts_of(data["result"]["levels"]);
  data["moments"] = moments_of(extras.moments);
  data["phases"] = Report::object();
  for (std::size_t i = 0; i < kPhases.size(); ++i)
    data["phases"][std::string(kPhases[i])] = extras.phases[i];
  data["source"] = extras.source ? Report(*extras.source) : Report();
  if (extras.live) data["live"] = live_of(*extras.live);
  return data.dump(-1, ' ', true, Report::error_handler_t::replace);
}

std::string report_html(const std::string& document, const std::string& name,
                        const ReportExtras& extras) {
  return page_with(kReportPage, report_data(document, name, extras));
}

std::string dashboard_html(const std::string& data) { return page_with(kDashboardPage, data); }

}  // namespace spillway
