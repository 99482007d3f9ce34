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

#include "check/phase.h"

namespace spillway {

// What a check had used and found at some time.
struct Moment {
  double seconds = 0;  // since the search began
  std::uint64_t level = 0, states = 0;
  std::uint64_t memory_bytes = 0, disk_bytes = 0;
  bool operator==(const Moment&) const = default;
};

// What is not in the result itself.
struct ReportExtras {
  std::optional<std::string> source;               // the text of the model
  std::vector<Moment> moments;                     // in their order
  std::array<double, kPhases.size()> phases = {};  // seconds in each; 0: unknown
};

// `document`: that of `check --json`.  Throws Error(usage), beginning with `name`, if it is none.
std::string report_html(const std::string& document, const std::string& name,
                        const ReportExtras& extras);

}  // namespace spillway
