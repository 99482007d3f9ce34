#pragma once

#include <string>

#include "cli/options.h"

namespace spillway {

std::string general_help();
std::string command_help(const Command& command);

}  // namespace spillway
