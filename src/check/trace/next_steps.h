// What can happen in a state, for somebody who walks through a model step by step.
#pragma once

#include <optional>
#include <vector>

#include "check/trace/trace.h"

namespace spillway {

struct NextSteps {
  std::vector<Step> steps;         // in the order of the model, which is always the same
  std::optional<Failure> failure;  // of a rule that cannot be carried out
  bool deadlock = false;
  // Invariants that are false here, and cover and reachable properties that are true.
  std::vector<PropertyIndex> noted;

  bool has(PropertyIndex property) const;
};

// The initial states.
NextSteps initial_next_steps(const Model& model);
NextSteps next_steps(const Model& model, Deadlock deadlock, State state);

}  // namespace spillway
