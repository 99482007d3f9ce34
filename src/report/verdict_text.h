// The line that says how a check has ended.
#pragma once

#include <string>

#include "check/check.h"
#include "report/words/subject.h"

namespace spillway {

// What was violated, as a noun: invariant "name".
std::string violated_text(const Model& model, const Trace& trace);

// The model as reports call it, with the constants and options that matter: german.m NODES=5.
std::string subject_name(const Subject& subject);

// "VERIFIED  german.m NODES=5  (exhaustive, exact)", ending in a newline.  One line if `brief`; an
// error in a model may take several otherwise.
std::string verdict_line(const Subject& subject, const CheckResult& result, bool brief, bool color);

}  // namespace spillway
