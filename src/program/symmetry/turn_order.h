// Decides whether the iterations (turns) of loops over identities can be taken in any order.
//
// The analysis walks through each rule and property and enters every function that it calls, so
// that each reference leads to a variable.  For each loop, quantifier and count over identities, it
// collects what one turn reads and writes.  The turns are independent if none touches what another
// one writes; what the counter itself indexes is different in each turn.  In addition, turns may
// write the same value to the same place, add numbers of one sign to it, or put elements into the
// same bag.  The order of such writes cannot be observed if nothing reads them.
//
// They may also write what they like to local variables, if each turn sets what it reads of them and
// nothing reads what is left after the loop.  Then what a turn does to all else, and whether it
// fails, depends on all else only.  So the walk carries the values of local variables along, which
// also tell which branches cannot be taken and what an index is, and notes what each loop may have
// left where (program/symmetry/locals.h).
#pragma once

#include <functional>
#include <string>

#include "program/program.h"
#include "program/symmetry/loop_records.h"

namespace spillway::program {

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
