// Counterexamples as text, for people.
#pragma once

#include <string>

#include "check/trace.h"
#include "model/model.h"

namespace spillway {

enum class TraceStyle {
  changes,  // the first state, and what each step changes
  last,     // the same, and the last state
  full,     // every state with every variable
};

// A counterexample: numbered steps, each with its rule.
std::string trace_text(const Model& model, const Trace& trace, TraceStyle style);

}  // namespace spillway
