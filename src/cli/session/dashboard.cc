#include "cli/session/dashboard.h"

#include <algorithm>
#include <utility>

#include "base/process/machine.h"
#include "base/process/stop_request.h"
#include "report/json.h"
#include "report/page/report_html.h"

namespace spillway {
namespace {

constexpr std::chrono::milliseconds kBetweenGlances{100};

// Styles and scripts are in the page itself, and it asks for news.
constexpr const char* kDashboardPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src "
    "'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::uint64_t count_violated(const Subject& subject, const CheckResult& result) {
  const std::vector<PropertyResult> all = result.properties(*subject.model, subject.deadlock);
  return static_cast<std::uint64_t>(
      std::ranges::count(all, Outcome::violated, &PropertyResult::outcome));
}

}  // namespace

Dashboard::Dashboard(const Sources& sources, const Subject& subject,
                     std::optional<std::string> source_text, unsigned port)
    : sources_(sources),
      subject_(subject),
      source_text_(std::move(source_text)),
      server_(Site(routes()), port) {}

std::vector<HttpRoute> Dashboard::routes() {
  return {{"/",
           [this](const HttpQuestion&) {
             const std::optional<Ended> end = ended();
             note(page, end.has_value());
             return HttpAnswer{200, "text/html; charset=utf-8", dashboard_html(data(true, end)),
                               kDashboardPolicy};
           }},
          {"/data",
           [this](const HttpQuestion&) {
             const std::optional<Ended> end = ended();
             HttpAnswer answer{200, "application/json", data(false, end)};
             note(page, end.has_value());
             return answer;
           }},
          {"/metrics", [this](const HttpQuestion&) {
             const std::optional<Ended> end = ended();
             HttpAnswer answer{200, kOpenMetricsType, open_metrics(figures(end))};
             note(collector, end.has_value());
             return answer;
           }}};
}

std::optional<Dashboard::Ended> Dashboard::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

// The check may end while an answer is made that does not show it.
void Dashboard::note(Viewer viewer, bool has_seen_end) {
  {
    const std::lock_guard lock(mutex_);
    asked_[viewer] = {Clock::now(), has_seen_end};
  }
  seen_.notify_all();
}

std::string Dashboard::data(bool with_source, const std::optional<Ended>& end) {
  ReportExtras extras;
  sources_.history.add_to(extras);
  if (with_source) extras.source = source_text_;
  extras.live.emplace();
  if (end) {
    extras.live->running = false;
    return report_data(end->document, subject_.path, extras);
  }
  CheckResult so_far;
  Progress progress;
  sources_.watch.with_session([&](const Session* session) {
    so_far = unanswered(session, Stop::time);
    if (session != nullptr) progress = session->levels.progress();
  });
  extras.live->figures = sources_.gauges.figures(progress);
  return report_data(to_json(subject_, so_far, 0), subject_.path, extras);
}

MetricsFigures Dashboard::figures(const std::optional<Ended>& end) {
  if (end) return end->figures;
  Progress progress;
  std::uint64_t levels = 0;
  sources_.watch.with_session([&](const Session* session) {
    if (session == nullptr) return;
    progress = session->levels.progress();
    levels = progress.level;
  });
  const ProgressFigures now = sources_.gauges.figures(progress);
  MetricsFigures all;
  all.model = subject_.path;
  all.verdict = kRunning;
  all.states = progress.states;
  all.transitions = progress.transitions;
  all.levels = levels;
  all.seconds = progress.seconds;
  all.states_per_second = now.recent_rate;
  all.memory_bytes = now.memory_bytes;
  all.memory_limit_bytes = now.memory_limit_bytes;
  all.peak_memory_bytes = peak_resident_bytes();
  all.disk_bytes = now.disk ? now.disk->used_bytes : 0;
  all.forecast = now.forecast;
  return all;
}

void Dashboard::show_end(const CheckResult& result, const std::string& document) {
  MetricsFigures all;
  all.model = subject_.path;
  all.verdict = json_word(result.verdict.outcome);
  all.states = result.statistics.states;
  all.transitions = result.statistics.transitions;
  all.levels = result.statistics.levels.size();
  all.violated_properties = count_violated(subject_, result);
  all.seconds = result.seconds;
  all.memory_bytes = resident_bytes();
  all.memory_limit_bytes = subject_.memory_bytes;
  all.peak_memory_bytes = result.peak_memory_bytes;
  const std::lock_guard lock(mutex_);
  ended_ = {document, std::move(all)};
  ended_at_ = Clock::now();
}

void Dashboard::wait_for_viewers() {
  std::unique_lock lock(mutex_);
  const auto waits = [this](const std::optional<Asked>& asked) {
    return asked && !asked->has_seen_end && asked->at + kPatience > *ended_at_;
  };
  while (std::ranges::any_of(asked_, waits) && !stop_request::made() &&
         Clock::now() < *ended_at_ + kPatience)
    seen_.wait_for(lock, kBetweenGlances);
}

}  // namespace spillway
