// Reads the file of a model.
#pragma once

#include <string>

namespace spillway {

// All bytes of a file.  Throws Error(model) if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace spillway
