// README.txt of a run directory: what it is, for people who find it.
#pragma once

#include <string>

#include "directory/run_config.h"

namespace spillway {

// `path` as it is typed in a shell.
std::string readme_text(const std::string& path, const RunConfig& config);

}  // namespace spillway
