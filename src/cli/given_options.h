// The options of a command line, as reports name them.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "report/subject.h"

namespace spillway {

// All options that count: of one that was given twice, the last.
std::vector<GivenOption> given_options(const Settings& settings);

// Those that change what a verdict means: "NODES=5 --deadlock=off".
std::string configuration_text(const Settings& settings);

}  // namespace spillway
