// Lists of names, for messages.
#pragma once

#include <string>
#include <vector>

namespace spillway {

// Printable, each in these quotes, with commas between them.
std::string quoted_names(const std::vector<std::string>& names, char quote);

}  // namespace spillway
