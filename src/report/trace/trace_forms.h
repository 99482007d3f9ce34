// A saved counterexample in the forms of other tools.  Each function returns a whole file.
#pragma once

#include <string>

#include "report/trace/saved_trace.h"

namespace spillway {

// For people: numbered steps with their rules, and what each changes; or all of every state.
std::string saved_trace_text(const SavedTrace& trace, bool full);

// The Informal Trace Format of Apalache and Quint: integers and booleans are those of JSON, other
// values are strings.  The rule of a step is "action" in its "#meta".
std::string trace_itf(const SavedTrace& trace);

// A value change dump (IEEE 1364), for viewers of waves: a unit of time for each step.
std::string trace_vcd(const SavedTrace& trace);

// A sequence diagram.  The values of the parameters of rules are its lifelines: a rule with two
// leads from the first to the second one, and one without any is the model's.  Where rules are
// moves of processes, they are the processes and the channels that have room.
std::string trace_mermaid(const SavedTrace& trace);
std::string trace_svg(const SavedTrace& trace);

// A page to step through, without anything from elsewhere.
std::string trace_html(const SavedTrace& trace);

}  // namespace spillway
