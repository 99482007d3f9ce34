// Generated code against the interpreter, on random systems in DVE, with all ways to treat errors.
//
// SPILLWAY_DVE_SYSTEMS=3000 sets how many, SPILLWAY_SEED=17 looks at one only, and prints it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "executions.h"
#include "language/dve/dve.h"
#include "random_dve.h"

namespace spillway {
namespace {

program::Program random_system(std::uint64_t seed) {
  const std::string text = random_dve(seed);
  if (std::getenv("SPILLWAY_SEED") != nullptr) std::cout << text;
  constexpr DveErrors kErrors[] = {DveErrors::report, DveErrors::wrap, DveErrors::legacy};
  DveOptions options;
  options.errors = kErrors[seed % 3];
  return std::move(read_dve("random.dve", text, options).program);
}

TEST(DveSystems, CompiledAndInterpretedAgree) { compare_seeds("SPILLWAY_DVE_SYSTEMS", 100, random_system); }

}  // namespace
}  // namespace spillway
