// Decides when a search looks for accepting cycles the next time.
#pragma once

#include <cstdint>

namespace spillway {

// At how many states, if there are `states` now: `growth` times as many, or never if that is too
// many to be counted.
inline std::uint64_t next_check_after(std::uint64_t states, double growth) {
  constexpr double kNever = 1e18;
  const double next = static_cast<double>(states) * growth;
  return next < kNever ? static_cast<std::uint64_t>(next) : UINT64_MAX;
}

}  // namespace spillway
