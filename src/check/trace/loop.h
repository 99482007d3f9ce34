// The loop of a counterexample that goes on for ever.
#pragma once

#include <optional>
#include <vector>

#include "check/facts/finding.h"
#include "check/trace/trace.h"

namespace spillway {

// Steps that follow the last state of a stem, as states of model.concrete().
struct Loop {
  std::vector<Step> before;  // it begins
  std::vector<Step> steps;   // the last one leads back to the first state of the loop
};

// Follows `rows`, states that begin and end with what `start` stands for, from `start` on, again
// and again: until a state comes back, since another one of its class may come first; and until the
// steps are in every acceptance set, of the first `sets`, since steps of several rules may lead
// from one state to another.  Nothing if that cannot be done.  Throws Stopped.
std::optional<Loop> follow_loop(const Model& model, State start,
                                const std::vector<std::vector<Word>>& rows, unsigned sets);

// Whether the loop of a trace meets every acceptance set with the rules that it names.
bool meets_all_sets(const Model& concrete, const Trace& trace);

// The run of a trace with a loop; a view of its steps.
Lasso lasso_of(const Trace& trace);

}  // namespace spillway
