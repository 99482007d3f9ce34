// The counterexamples of what a search has found.
#pragma once

#include "check/inquiry.h"

namespace spillway {

// Adds a trace to the result for each finding of the evidence.  A violation of a search that keeps
// no levels is found again, by one that does.  If there is no time for it, or a limit comes before,
// the findings are dropped and the result says so (`untraced`).
//
// By all ranks: none goes on before all have their traces, or know that there will be none.
void make_counterexamples(Inquiry& inquiry);

}  // namespace spillway
