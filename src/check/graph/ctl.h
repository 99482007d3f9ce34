// Decides whether formulas of branching time hold in all initial states of a model.
//
// Paths are infinite: one that comes to a state without successors stays there for ever.  One whose
// continuations are all excluded by assumptions does not count, as for formulas of linear time.
#pragma once

#include <cstddef>

#include "base/memory/budget.h"
#include "base/process/crew.h"
#include "check/graph/state_graph.h"
#include "check/trace/trace.h"
#include "ltl/formula/ctl.h"

namespace spillway {

// Decides one, number `index` of the check, and reports it to the session if it is violated: with
// a run that shows why, as far as one run can.  The run is the same for any number of threads and
// any memory.  Throws Stopped, Finished, Error(memory, usage) if the budget refuses, and
// Error(model) if a proposition cannot be evaluated.  REQUIRES: the formula is about propositions
// of the model.
void decide_ctl(const ltl::NamedCtl& formula, std::size_t index, Session& session,
                StateGraph& states, LevelReader& levels, Budget& budget, Crew& crew);

// Adds to the trace of a violated formula what there is to say about it.  False if it should show
// on its own that the formula is false, and does not.
bool complete_ctl_trace(const ltl::NamedCtl& formula, const Model& model, Trace& trace);

}  // namespace spillway
