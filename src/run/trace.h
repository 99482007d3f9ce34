// From a finding to a counterexample.
//
// No search keeps parents.  A state of level k has a predecessor in level k-1, so the way back is found by
// expanding level k-1 once more and looking who makes the state; of several predecessors the smallest is
// taken, so that the trace is the same however the search was carried out.
//
// A trace is replayed from an initial state before anybody sees it.
#pragma once

#include <vector>

#include "run/finding.h"
#include "run/search.h"

namespace spillway {

struct Step {
  RuleIndex rule;         // that made the state; for the first step the start rule
  std::vector<Word> row;  // the state
};

struct Trace {
  Finding finding;
  std::vector<Step> steps;  // finding.depth + 1 of them, or none when no initial state could be made
  bool shortest = true;
};

// The trace of a finding, confirmed.  Throws Stopped, or Error(internal) if the model, executed again, does not do what
// it did in the search.
Trace make_trace(const Model& model, Deadlock deadlock, Search& search, Crew& crew, const Finding& finding);

// Whether the steps are steps of the model and end in a state where the finding is true.
bool confirmed(const Model& model, Deadlock deadlock, const Trace& trace);

}  // namespace spillway
