// The file with the result of a check: the JSON for programs, bound to its run directory.
#pragma once

#include <string>

#include "check/durable/manifest.h"

namespace spillway {

// `json` plus the mark of the run and a checksum as its last members.  REQUIRES: the output of
// to_json().
std::string signed_result(std::string json, const RunMark& run);
// True if signed_result() produces this text for this run.
bool is_signed_result(std::string_view text, const RunMark& run);

}  // namespace spillway
