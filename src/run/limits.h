// How far a search may go.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace spillway {

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct Limits {
  std::uint64_t max_depth = kUnlimited;   // deeper states are not looked at
  std::uint64_t max_states = kUnlimited;  // a level that would exceed it is not looked at
  double timeout_seconds = std::numeric_limits<double>::infinity();
};

// Why a search stopped before it had seen everything.
enum class Stop {
  time,
  memory,
  goals,  // memory would not hold what deciding the liveness properties of so many states needs
  disk,
  depth,
  states,
  interrupted,
  terminated,
};

}  // namespace spillway
