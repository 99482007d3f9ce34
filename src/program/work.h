// An upper bound on the time that a part of a program takes, in steps of a few nanoseconds.  It
// decides which loops must poll for a request to stop.  Short loops never do, because polling would
// cost more than the loop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/program.h"

namespace spillway::program {

// The most steps between two polls: about a tenth of a millisecond.
inline constexpr std::uint64_t kStepsBetweenLooks = std::uint64_t{1} << 17;

class Work {
 public:
  explicit Work(const Program& program);

  // Steps without a poll.  A loop that polls counts as one step, and so does a recursive call,
  // which polls as well.
  std::uint64_t of(const Expr& expr, const Frame& frame);
  std::uint64_t of(const Body& body, const Frame& frame);
  // The work on a row that a rule has made.
  std::uint64_t of_successor() const { return successor_; }

  // Whether a loop over the range must poll in every iteration, which takes `turn` steps.
  bool looks(const Range& range, std::uint64_t turn, const Frame& frame);
  bool looks(std::uint64_t turns, std::uint64_t turn) const;

 private:
  std::uint64_t of(const Statement& statement, const Frame& frame);
  std::uint64_t of(const Place& place, const Frame& frame);
  std::uint64_t of_call(const Expr& expr, const Frame& frame);
  std::uint64_t of_loop(std::uint64_t turns, std::uint64_t turn) const;
  std::uint64_t turns(const Range& range, const Frame& frame) const;

  const Program& program_;
  std::uint64_t successor_ = 0;
  std::vector<std::optional<std::uint64_t>> functions_;
  std::vector<bool> open_;  // functions whose work is being computed
};

}  // namespace spillway::program
