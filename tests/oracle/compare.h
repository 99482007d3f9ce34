// One search against the reference.
#pragma once

#include <string>

#include "check/check.h"
#include "oracle/reference.h"

namespace spillway {

// Empty, or the first difference in words.
std::string difference(const Model& model, Deadlock deadlock, const CheckResult& result,
                       const Expected& expected);

}  // namespace spillway
