// The table of algorithms, for the command line and its help.
#pragma once

#include <span>
#include <string>

#include "check/session/search.h"

namespace spillway {

// The first one, auto, is the default.
std::span<const Algorithm> algorithms();

// The names of those that can find shortest runs: "a, b or c".
std::string minimal_algorithms();

}  // namespace spillway
