// A result as text, for people.
#pragma once

#include <string>
#include <string_view>

#include "base/printable.h"
#include "report/subject.h"
#include "run/check.h"

namespace spillway {

// One line that says what is going to be checked.
std::string opening_text(const Subject& subject);

// Verdict, figures, properties and counterexamples; with `brief` the verdict line alone.
std::string result_text(const Subject& subject, const CheckResult& result, bool brief);

// What became of a property, as a line without newline: invariant "name": holds.
std::string property_line(std::string_view kind, std::string_view name, std::string_view verb);

// A counterexample: numbered steps, the rule of each, what it changed, and the last state in full.
std::string trace_text(const Model& model, const Trace& trace);

}  // namespace spillway
