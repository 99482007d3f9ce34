// The findings of a simulation, as text for people.
#pragma once

#include <string>

#include "check/check.h"
#include "report/text.h"
#include "report/words/subject.h"

namespace spillway {

// Counterexamples, what the walks have covered, how to repeat them, and as the last line the
// verdict.  REQUIRES: result.walks.
void write_simulation_text(const Subject& subject, const CheckResult& result,
                           const TextStyle& style, const TextSink& sink);

}  // namespace spillway
