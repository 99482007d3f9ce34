// A result as one page: verdict, properties, counterexamples to step through, levels with their
// forecasts, where time, memory and disk went, and coverage beside the text of the model.
//
// The page is one file and loads nothing.  A result may come from anybody: whatever is in it is
// shown as text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/facts/phase.h"
#include "report/progress/progress.h"

namespace spillway {

// What a check had used and found at some time.
struct Moment {
  double seconds = 0;  // since the search began
  std::uint64_t level = 0, states = 0;
  std::uint64_t memory_bytes = 0, disk_bytes = 0;
  bool operator==(const Moment&) const = default;
};

// A check that is still under way, for a page that asks for news.
struct LiveFigures {
  ProgressFigures figures;
  bool running = true;
};

// What is not in the result itself.
struct ReportExtras {
  std::optional<std::string> source;               // the text of the model
  std::vector<Moment> moments;                     // in their order
  std::array<double, kPhases.size()> phases = {};  // seconds in each; 0: unknown
  std::optional<LiveFigures> live = {};            // nothing: the page stays as it is
};

// `document`: that of `check --json`.  Throws Error(usage), beginning with `name`, if it is none.
std::string report_html(const std::string& document, const std::string& name,
                        const ReportExtras& extras);
// The same as what the page shows, in JSON.
std::string report_data(const std::string& document, const std::string& name,
                        const ReportExtras& extras);
// The page for these data that asks "data", beside its own address, for newer ones.
std::string dashboard_html(const std::string& data);

}  // namespace spillway
