// Makes a counterexample from a finding.
//
// No search stores parents.  A state of level k has a predecessor in level k-1, which is found by
// expanding level k-1 again.  Of several predecessors the smallest is taken, so the trace does not
// depend on how the search was carried out.
//
// Every trace is replayed from an initial state before it is reported.
#pragma once

#include <string>

#include "check/facts/finding.h"
#include "check/session/search.h"
#include "check/trace/packed_steps.h"

namespace spillway {

struct Trace {
  Finding finding;
  // finding.depth + 1 of them, and those of the loop; none for cover, or if no initial state could
  // be computed.
  PackedSteps steps;
  bool shortest = true;
  const Model* product = nullptr;  // that the states are of, if not the model that was checked
  std::string remark = {};         // on a run with a loop, for the user; may be empty
  PropertyKind run_kind = PropertyKind::acceptance;  // of its property: or ltl
  std::size_t run = 0;  // the number of its RunCheck, if there is a product
  // The step that the last one leads back to: both have the same state.
  std::optional<std::size_t> loop_start() const {
    if (finding.loop.empty()) return std::nullopt;
    return static_cast<std::size_t>(finding.depth);
  }
};

// The model that the states of a trace are of.
inline const Model& model_of(const Trace& trace, const Model& checked) {
  return trace.product != nullptr ? *trace.product : checked;
}

// The confirmed trace of a finding that is not of a cover property.  Throws Stopped; Error(model)
// if the model does not repeat what it did in the search; Error(internal) if it does, and the trace
// still fails.
// With several ranks, all of them make it: each has some of the states on the way.
Trace make_trace(const Model& model, Deadlock deadlock, LevelReader& levels, Crew& crew,
                 const Finding& finding, Cluster& cluster = Cluster::alone());

// The steps of a shortest way to a state of this depth, replayed.  Throws what make_trace() throws.
PackedSteps way_to(const Model& model, LevelReader& levels, Crew& crew, std::uint64_t depth,
                   State row);

// True if the steps are steps of the model and end in a state where the finding holds.
bool confirmed(const Model& model, Deadlock deadlock, const Trace& trace);

}  // namespace spillway
