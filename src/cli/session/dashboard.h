// The report of a check while it runs, on a page of this machine, with its figures for programs
// that collect such (OpenMetrics).
//
// When the check has ended, whoever was looking on gets to see how: the process waits for them, for
// a while.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/session/watch.h"
#include "cli/session/check_monitor.h"
#include "report/open_metrics.h"
#include "report/page/history.h"
#include "report/words/subject.h"
#include "serve/http_server.h"

namespace spillway {

class Dashboard {
 public:
  // Somebody who has asked since looks on, and the longest wait for them when the check has ended.
  // Programs that collect figures ask every 15 seconds as a rule.
  static constexpr std::chrono::seconds kPatience{20};

  struct Sources {
    Watch& watch;
    const Gauges& gauges;
    const History& history;
  };
  // Answers from now on.  REQUIRES: the subject has its model.  The sources and the model must
  // outlive it.  Throws what HttpServer does.
  Dashboard(const Sources& sources, const Subject& subject, std::optional<std::string> source_text,
            unsigned port);

  std::string address() const { return server_.address(); }

  // From now on it shows this result, of which `document` is the JSON.
  void show_end(const CheckResult& result, const std::string& document);
  // Returns when those who were looking on have seen it, or none has come for too long, or a stop
  // is requested.  REQUIRES: show_end() was called.
  void wait_for_viewers();

 private:
  using Clock = std::chrono::steady_clock;
  enum Viewer { page, collector };
  struct Ended {
    std::string document;
    MetricsFigures figures;
  };

  struct Asked {
    Clock::time_point at;
    bool has_seen_end;
  };

  std::vector<HttpRoute> routes();
  // How it ended, or what is known now of the running check.
  std::string data(bool with_source, const std::optional<Ended>& end);
  MetricsFigures figures(const std::optional<Ended>& end);
  void note(Viewer viewer, bool has_seen_end);
  std::optional<Ended> ended() const;

  const Sources sources_;
  const Subject subject_;
  const std::optional<std::string> source_text_;
  mutable std::mutex mutex_;
  std::condition_variable seen_;
  std::optional<Ended> ended_;
  std::optional<Clock::time_point> ended_at_;
  std::array<std::optional<Asked>, 2> asked_;  // last, by each kind of viewer
  HttpServer server_;                          // the last member: its threads use the others
};

}  // namespace spillway
