// Limits of a search.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

namespace spillway {

inline constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

struct Limits {
  std::uint64_t max_depth = kUnlimited;   // deeper states are not expanded
  std::uint64_t max_states = kUnlimited;  // a level that would exceed it is not expanded
  double timeout_seconds = std::numeric_limits<double>::infinity();
  // The search ends with the level in which as many properties are violated, each in some state.
  // REQUIRES: at least 1.
  std::uint64_t max_errors = 1;
};

// Why a search stopped before it had seen everything.
enum class Stop {
  time,
  memory,
  goals,  // not enough memory to decide the liveness properties
  disk,
  depth,
  states,
  walks,  // it was a simulation, which never sees everything
  interrupted,
  terminated,
  lost,  // another rank of a cluster
};

}  // namespace spillway
