// Where a living run is, written into its run directory every few seconds for `spillway status`.
//
// It is news, not data: nothing is resumed from it, and a text that is lost or damaged is no fault.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/process/identity.h"
#include "check/facts/phase.h"

namespace spillway {

struct LiveStatus {
  std::int64_t written = 0;  // when, in seconds since 1970
  Phase phase = Phase::expanding;
  std::uint64_t level = 0;
  std::uint64_t level_states = 0;       // in this level
  std::uint64_t expanded = 0;           // of them
  std::uint64_t states = 0;             // in all levels up to this one
  std::uint64_t seconds = 0;            // since this process began to search
  std::uint64_t states_per_second = 0;  // expanded recently
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0;
  std::uint64_t disk_bytes = 0;
  // Of a rank among several (check/ranks/rank_figures.h); 0 for a process alone.
  std::uint64_t own_states = 0, bytes_sent = 0, bytes_received = 0, waited_milliseconds = 0;

  bool operator==(const LiveStatus&) const = default;
};

std::string to_text(const LiveStatus& now, const Identity& run);
// std::nullopt unless to_text() produces this text for this run.
std::optional<LiveStatus> parse_live_status(std::string_view text, const Identity& run);

}  // namespace spillway
