// Decides when a search looks for accepting cycles: whenever it has so many times more states.
#pragma once

#include <cstdint>
#include <span>

#include "check/facts/statistics.h"

namespace spillway {

struct CheckIntervals {
  std::uint64_t first = 0;  // states at the first check
  // Of the number of states between two checks: at first, and from many states on.
  double growth = 2;
  double later_growth = growth;
  std::uint64_t many = UINT64_MAX;
};

class CheckSchedule {
 public:
  explicit CheckSchedule(const CheckIntervals& intervals)
      : intervals_(intervals), next_(intervals.first) {}

  bool is_due(std::uint64_t states) const { return states >= next_; }

  // The next one comes at `growth` times as many, or never if that is too many to be counted.
  void have_checked(std::uint64_t states) {
    constexpr double kNever = 1e18;
    const bool is_early = states < intervals_.many;
    const double next =
        static_cast<double>(states) * (is_early ? intervals_.growth : intervals_.later_growth);
    next_ = next < kNever ? static_cast<std::uint64_t>(next) : UINT64_MAX;
  }

  // The checks of an earlier search, which had decided `decided` states: it makes one when a level
  // is known, and not expanded yet.
  void repeat(std::span<const Level> levels, std::uint64_t decided) {
    std::uint64_t states = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      states += levels[i].states;
      if (states > decided) return;
      if (i != 0 && is_due(states)) have_checked(states);
    }
  }

 private:
  CheckIntervals intervals_;
  std::uint64_t next_;
};

}  // namespace spillway
