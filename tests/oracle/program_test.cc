// Generated code against the interpreter, on random programs.
//
// SPILLWAY_PROGRAMS=5000 sets how many, SPILLWAY_SEED=17 looks at one only.
#include <gtest/gtest.h>

#include "executions.h"
#include "random_program.h"

namespace spillway {
namespace {

TEST(Programs, CompiledAndInterpretedAgree) {
  compare_seeds("SPILLWAY_PROGRAMS", 150, program::random_program);
}

}  // namespace
}  // namespace spillway
