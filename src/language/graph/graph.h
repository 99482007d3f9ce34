// Reads explicit graphs.  docs/manual/graph-format.md describes the format.
#pragma once

#include <string>

#include "language/language.h"

namespace spillway {

ReadModel read_graph_file(const std::string& path, const ReadingOptions& options);

}  // namespace spillway
