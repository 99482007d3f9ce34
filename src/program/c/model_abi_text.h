// The text of spillway/model_abi.h, so that generated code compiles wherever the program is.
#pragma once

#include <string_view>

namespace spillway::program {

extern const std::string_view kModelAbiText;

}  // namespace spillway::program
