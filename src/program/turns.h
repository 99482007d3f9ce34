// Whether the turns of loops over identities can be taken in any order.
//
// Each rule and property is walked through with the functions that it calls in place of the calls,
// so that every reference leads to a variable.  Of each loop, quantifier and count over identities
// it is collected what a turn reads and writes.  Its turns are independent if none touches what
// another one writes; what the counter itself indexes is different in each turn.  Beyond that,
// turns may write the same value to the same place, add numbers of one sign to it, or put elements
// into the same bag: the order of such writes does not show, as long as nothing there is read.
#pragma once

#include <functional>
#include <string>

#include "program/program.h"

namespace spillway::program {

// A loop, quantifier or count: of its range and its bag one is not nullptr.  If both are nullptr,
// the program is too large to be examined, and nothing is known.
struct Loop {
  const Range* range;
  const Type* bag;
  Position position;
};

class TurnOrder {
 public:
  // `matters` says whether the order of the turns of a loop must not show; `tell` is called for
  // those where it might.
  using Matters = std::function<bool(const Loop&)>;
  using Tell = std::function<void(const Loop&, std::string why)>;
  TurnOrder(const Program& program, Matters matters, Tell tell)
      : program_(program), matters_(std::move(matters)), tell_(std::move(tell)) {}

  void examine(const Rule& rule);
  void examine(const Property& property);

 private:
  class Walk;
  friend class Walk;

  const Program& program_;
  Matters matters_;
  Tell tell_;
  std::uint64_t work_ = 0;  // so far
};

}  // namespace spillway::program
