// Random walks through a model.  They may find a violation long before a search does, and they
// prove nothing: a simulation is never VERIFIED.
//
// Walk number n of a seed is always the same.  Of several walks that find something, the one with
// the lowest number is reported, and what later ones have seen does not count.  So with a given
// number of walks, the result does not depend on the threads.  Nothing is stored, so memory does
// not grow.
#pragma once

#include <cstdint>
#include <functional>

#include "check/check.h"

namespace spillway {

struct SimulationOptions {
  std::uint64_t seed = 0;
  std::uint64_t walks = 1000;  // at most
  std::uint64_t depth = 1000;  // the most steps of a walk
  unsigned threads = 1;
  Deadlock deadlock = Deadlock::off;
  std::function<void(const Walks&)> observer = {};  // between two rounds of walks
  Watch* watch = nullptr;                           // stops it when the time is up
};

// Walks until something is found, all walks are done, or a stop is requested.  States are expected
// to stand for themselves, without symmetry reduction.  Never throws: a failure becomes the verdict
// ERROR.
CheckResult simulate(const Model& model, const SimulationOptions& options);

}  // namespace spillway
