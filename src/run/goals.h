// Properties that only the whole state space decides: what must be reached somewhere, and from everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/budget.h"
#include "io/disk.h"
#include "run/run.h"
#include "run/search.h"

namespace spillway {

// What is known of them.
struct Goals {
  std::vector<bool> decided;  // by number, of cover and reachable properties: see decide_goals()
  bool cover_open = false;    // one was not seen to hold, in states that may not be all
};

// How they are to be decided.
struct GoalSettings {
  bool exact = true;      // the search has seen all states, and not only all but a few
  bool reachable = true;  // otherwise the reachable properties are left alone
};

// Decides the cover and reachable properties once the search has seen every state, and tells the run of those that
// are violated.  May throw Finished; `goals` then says which ones were decided.
//
// A reachable property is decided backwards without stored edges: the set of states that can reach the goal grows,
// level by level from the deepest up, by states that have a successor in it, until a pass adds nothing.  The set is in
// memory: room for all states is reserved before, or the run gives up with Stop::goals.
void decide_goals(Run& run, Search& search, Budget& budget, Disk& disk, const GoalSettings& settings, Goals& goals);

// The cover properties that have held so far, whatever became of the search.
void note_covered(const Run& run, Goals& goals);

// The number of states up to which a search in memory and the reachable properties fit into a budget, about.
std::uint64_t most_goal_states(const Budget& budget, std::size_t words);

// Whether the model has properties that must be reachable from everywhere.
bool has_reachable(const Model& model);

// Why the reachable properties of a model cannot be decided after a search by this algorithm; empty: they can.
std::string why_goals_cannot_be_decided(const Model& model, const Algorithm& algorithm);

}  // namespace spillway
