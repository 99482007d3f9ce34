// Properties that only the entire state space decides: what must be reached somewhere, and from
// everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/session/search.h"
#include "ltl/formula/ctl.h"

namespace spillway {

// What is known about these properties.
struct Goals {
  std::vector<bool> decided;  // cover and reachable properties, by index: see decide_goals()
  bool cover_open = false;    // one was not seen to hold, but states may be missing
  bool acceptance = false;    // it was decided whether there is an accepting cycle
  std::vector<bool> ctl;      // formulas that were decided, by number
};

// How they are to be decided.
struct GoalSettings {
  bool exact = true;      // the search has seen all states, not just most of them
  bool reachable = true;  // false: skip the reachable properties
  std::span<const ltl::NamedCtl> ctl = {};
  Checkpoints& checkpoints = Checkpoints::none();  // keep the edges of all states
};

// Decides the cover and reachable properties and formulas of branching time (ctl.h) once the search
// has seen every state, and reports violated ones to the session.  May throw Finished; `goals` then
// has those decided so far. REQUIRES: why_not() has no reason (check.h).
//
// A reachable property is decided backwards over the edges between all states (state_graph.h): EF
// of the goal (passes/branching.h).  What is reported is the first state outside, by level and row:
// the same for any number of threads and any memory.  If memory does not suffice for a few
// bits of each state, the check ends with Stop::goals.
void decide_goals(Session& session, Search& search, Budget& budget, Crew& crew, Disk* disk,
                  const GoalSettings& settings, Goals& goals);

// Marks the cover properties that have held so far, however the search ended.
void note_covered(const Session& session, Goals& goals);

// The number of states up to which reachable properties can be decided within a budget.
std::uint64_t most_goal_states(const Budget& budget);

// True if the model has reachable properties.
bool has_reachable(const Model& model);

}  // namespace spillway
