// Work of a crew on something that has to be changed now and then while nobody uses it, such as a
// table that grows.
#pragma once

#include <atomic>

#include "base/process/crew.h"

namespace spillway {

// Calls work(i) on each thread i of the crew, or on the first one `alone`, in rounds, until it has
// returned true on all of them in one round.  After each round calls between(); if that returns
// false, it ends.  work() returns false if it was interrupted and has more to do.  When it throws,
// interrupt() is called, so that the other threads return, and the exception is passed on.
template <class Work, class Interrupt, class Between>
void work_in_rounds(Crew& crew, bool alone, const Work& work, const Interrupt& interrupt,
                    const Between& between) {
  for (bool done = false; !done;) {
    std::atomic<bool> all_done{true};
    const auto guarded = [&](unsigned i) {
      try {
        if (!work(i)) all_done.store(false);
      } catch (...) {
        interrupt();
        throw;
      }
    };
    if (alone)
      guarded(0);
    else
      crew.each(guarded);
    done = all_done.load();
    if (!between()) return;
  }
}

}  // namespace spillway
