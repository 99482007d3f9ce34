// Where tests find what is not code.
#pragma once

#include <string>

namespace spillway {

std::string model_file(
    const std::string& name);  // a compiled model of tests/models or examples: "pancake_9.so"
std::string source_file(
    const std::string& name);  // a file of this project: "tests/golden/blocks-v1"

}  // namespace spillway
