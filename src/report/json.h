// Results as JSON, for other programs.  The names of members are stable: docs/manual/json.md.
#pragma once

#include <string>

#include "check/check.h"
#include "report/subject.h"

namespace spillway {

inline constexpr int kJsonVersion = 1;

// One document, ending in a newline.
std::string to_json(const Subject& subject, const CheckResult& result, int exit_code);

}  // namespace spillway
