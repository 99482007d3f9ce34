// Systems in DVE at random, as text: everything that the language has, and much that goes wrong.
#pragma once

#include <cstdint>
#include <string>

namespace spillway {

std::string random_dve(std::uint64_t seed);

}  // namespace spillway
