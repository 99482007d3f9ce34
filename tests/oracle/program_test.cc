// Generated code against the interpreter, on random programs.
//
// SPILLWAY_PROGRAMS=5000 sets how many, SPILLWAY_SEED=17 looks at one only.
#include <gtest/gtest.h>

#include "executions.h"
#include "random_program.h"

namespace spillway {
namespace {

TEST(Programs, CompiledAndInterpretedAgree) {
  const Totals totals = compare_seeds("SPILLWAY_PROGRAMS", 150, program::random_program);
  if (totals.programs < 100) return;
  EXPECT_GT(totals.marked, 10U) << "that nothing is observed tests nothing";
  EXPECT_GT(totals.cut, 5U);
}

}  // namespace
}  // namespace spillway
