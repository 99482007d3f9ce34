// Results as text, for people.
#pragma once

#include <string>

#include "base/text/printable.h"
#include "check/check.h"
#include "report/trace/trace_text.h"
#include "report/words/subject.h"

namespace spillway {

struct TextStyle {
  bool brief = false;    // only the verdict line
  bool verbose = false;  // list every property
  bool color = false;
  TraceStyle trace = TraceStyle::changes;
};

// One line that says what is going to be checked.
std::string opening_text(const Subject& subject);

// Counterexamples, figures, properties, how to resume, and as the last line the verdict.
void write_result_text(const Subject& subject, const CheckResult& result, const TextStyle& style,
                       const TextSink& sink);
std::string result_text(const Subject& subject, const CheckResult& result, const TextStyle& style);

}  // namespace spillway
