// The C text of a program: one file that implements spillway/model_abi.h.
#pragma once

#include <string>

#include "program/program.h"

namespace spillway::program {

// Rule indices are those of Instances, property indices those of reported_number().  The object has no names: whoever
// has the program knows them.  check() reports invariants that are false, and cover and reachable properties that hold.
std::string generate_c(const Program& program);

}  // namespace spillway::program
