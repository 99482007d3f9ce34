// The figures of a check for programs that watch others, in the text format of OpenMetrics 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/progress/forecast.h"

namespace spillway {

// What is known of a check that is under way, or has ended.
struct MetricsFigures {
  std::string model;    // its path
  std::string verdict;  // as in the JSON, or "running"
  std::uint64_t states = 0, transitions = 0, levels = 0;
  std::uint64_t violated_properties = 0;
  double seconds = 0;  // since the search began
  std::optional<double> states_per_second = {};
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0, peak_memory_bytes = 0;
  std::uint64_t disk_bytes = 0;
  std::optional<Forecast> forecast = {};
};

inline constexpr const char* kRunning = "running";

// All families are always there, with or without samples, in the same order.
std::string open_metrics(const MetricsFigures& figures);
inline constexpr const char* kOpenMetricsType =
    "application/openmetrics-text; version=1.0.0; charset=utf-8";

}  // namespace spillway
