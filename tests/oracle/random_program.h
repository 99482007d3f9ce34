// Programs at random: all types, expressions and statements, nested, many of them failing.
#pragma once

#include <cstdint>

#include "program/program.h"

namespace spillway::program {

Program random_program(std::uint64_t seed);

}  // namespace spillway::program
