// Counterexamples as text, for people.
#pragma once

#include <string>

#include "check/trace/trace.h"
#include "model/description.h"
#include "report/words/text_sink.h"

namespace spillway {

enum class TraceStyle {
  changes,  // the first state, and what each step changes
  last,     // the same, and the last state
  full,     // every state with every variable
};

// Of more steps than this, the first and the last half of as many are shown, unless in full.
inline constexpr std::size_t kMostShownSteps = 2000;

// A counterexample: numbered steps, each with its rule.
void write_trace_text(const Description& description, const Trace& trace, TraceStyle style,
                      const TextSink& sink);
// The steps alone.
std::string steps_text(const Description& description, const PackedSteps& steps, TraceStyle style);

}  // namespace spillway
