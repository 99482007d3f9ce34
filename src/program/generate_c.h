// The C text of a program: one file that implements spillway/model_abi.h.
#pragma once

#include <cstddef>
#include <string>

#include "program/program.h"

namespace spillway::program {

// So many rules take a C compiler long enough to have those that differ in numbers only share their
// code.
inline constexpr std::size_t kManyRules = 300;

// Rule indices are those of Instances, property indices those of reported_number().  The object has
// no names: whoever has the program knows them.  The word that spillway_stop_word() returns makes
// all functions return soon when it is not 0, with anything as their result.  check() reports
// invariants that are false, and cover and reachable properties that hold.
std::string generate_c(const Program& program, std::size_t many_rules = kManyRules);

}  // namespace spillway::program
