// Loads models that others have compiled.  include/spillway/model_abi.h is their interface.
#pragma once

#include <string>

#include "language/language.h"

namespace spillway {

ReadModel read_compiled_file(const std::string& path, const ReadingOptions& options);

}  // namespace spillway
