// Results as text, for people.
#pragma once

#include <string>

#include "base/printable.h"
#include "check/check.h"
#include "report/subject.h"

namespace spillway {

// One line that says what is going to be checked.
std::string opening_text(const Subject& subject);

// Verdict, figures, properties and counterexamples; only the verdict line if `brief`.
std::string result_text(const Subject& subject, const CheckResult& result, bool brief);

// A counterexample: numbered steps, each with its rule and what it changed, and the last state in
// full.
std::string trace_text(const Model& model, const Trace& trace);

}  // namespace spillway
