// Reads files that users name: models, formulas, automata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace spillway {

// All bytes of a file.  Throws Error(model) if it cannot be read, or has more than `most_bytes`.
std::string read_file(const std::string& path, std::size_t most_bytes = SIZE_MAX);

}  // namespace spillway
