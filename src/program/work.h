// How long something of a program can take at most, in steps of some nanoseconds; and so, which
// loops must look for a request to stop.  Loops that are short look never: that would cost more
// than the loop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "program/program.h"

namespace spillway::program {

// So much may be done between two looks: a tenth of a millisecond or so.
inline constexpr std::uint64_t kStepsBetweenLooks = std::uint64_t{1} << 17;

class Work {
 public:
  explicit Work(const Program& program);

  // Steps without a look.  A loop that looks counts as one, and so does the call of a function by
  // itself, which looks as well.
  std::uint64_t of(const Expr& expr, const Frame& frame);
  std::uint64_t of(const Body& body, const Frame& frame);
  // what is done with a row that a rule has made
  std::uint64_t of_successor() const { return successor_; }

  // Whether a loop over the range must look in every turn, which takes so many steps.
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
  std::vector<bool> open_;  // functions that are being looked at
};

}  // namespace spillway::program
