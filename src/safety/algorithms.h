// The table of algorithms, for the command line and its help.
#pragma once

#include <span>

#include "check/search.h"

namespace spillway {

// The first one, auto, is the default.
std::span<const Algorithm> algorithms();

}  // namespace spillway
