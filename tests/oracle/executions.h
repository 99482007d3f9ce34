// Generated code against the interpreter: the same states, rules and failures, in the same order.
#pragma once

#include <cstddef>

#include "program/program.h"

namespace spillway {

struct Totals {
  std::size_t programs = 0, states = 0, transitions = 0, failures = 0, idle = 0, quick = 0;
  std::size_t marked = 0, cut = 0;  // marks that were set, successors that assumptions excluded
};

// False if tcc is not installed, which is a failure where CI=true.
bool has_tcc();

// Explores a program in all ways, by the C compiler, tcc and the interpreter, and ends with a fatal
// failure of the test where they differ.
void compare_executions(program::Program program, Totals& totals);

// Compares what program(seed) makes, for as many seeds as the environment variable says (300, or
// 201-300), or for SPILLWAY_SEED only.
Totals compare_seeds(const char* variable, std::uint64_t usual,
                     program::Program (*program)(std::uint64_t));

}  // namespace spillway
