// Decides whether the iterations (turns) of loops over identities can be taken in any order.
//
// The analysis walks through each rule and property and enters every function that it calls, so
// that each reference leads to a variable.  For each loop, quantifier and count over identities, it
// collects what one turn reads and writes.  The turns are independent if none touches what another
// one writes; what the counter itself indexes is different in each turn.  In addition, turns may
// write the same value to the same place, add numbers of one sign to it, or put elements into the
// same bag.  The order of such writes cannot be observed if nothing reads them.
#pragma once

#include <functional>
#include <string>

#include "program/program.h"
#include "program/symmetry/dependence.h"

namespace spillway::program {

// A loop, quantifier or count.  Exactly one of range and bag is not nullptr.  If both are nullptr,
// the program is too large to be analysed, and nothing is known.
struct Loop {
  const Range* range;
  const Type* bag;
  Position position;
};

class TurnOrder {
 public:
  // `matters` says for a loop whether the order of its turns must not be observable.  `tell` is
  // called for such loops where it might be.
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
  Effort work_;
};

}  // namespace spillway::program
