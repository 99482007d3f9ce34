// Random walks: what they find does not depend on the threads, and nothing makes them VERIFIED.
#include "check/simulation.h"

#include <gtest/gtest.h>

#include "language/graph/graph_model.h"

namespace spillway {
namespace {

// A line with a way back to its beginning at each state: the end is hard to come to.
const GraphModel kLine("line", R"(
state 0 1 2 3 4 5
initial 0
0 -> 0 1
1 -> 0 2
2 -> 0 3
3 -> 0 4
4 -> 0 5
5 -> 0
bad 5
)");

SimulationOptions walks(std::uint64_t seed, std::uint64_t count, unsigned threads) {
  SimulationOptions options;
  options.seed = seed;
  options.walks = count;
  options.depth = 20;
  options.threads = threads;
  options.deadlock = Deadlock::stuck;
  return options;
}

TEST(Simulation, FindsTheSameWithAnyThreads) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const CheckResult alone = simulate(kLine, walks(seed, 1000, 1));
    ASSERT_EQ(alone.verdict.outcome, Outcome::violated);
    ASSERT_EQ(alone.traces.size(), 1U);
    const PackedSteps& steps = alone.traces.front().steps;
    EXPECT_EQ(steps.back().row, (std::vector<Word>{5}));
    EXPECT_EQ(alone.walks->walks, *alone.walks->found_in + 1);
    const CheckResult together = simulate(kLine, walks(seed, 1000, 4));
    EXPECT_EQ(together.walks->found_in, alone.walks->found_in);
    EXPECT_EQ(together.walks->steps, alone.walks->steps);
    EXPECT_EQ(together.statistics.states, alone.statistics.states);
    ASSERT_EQ(together.traces.size(), 1U);
    ASSERT_EQ(together.traces.front().steps.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      EXPECT_EQ(together.traces.front().steps[i].row, steps[i].row);
  }
}

TEST(Simulation, IsNeverVerified) {
  const GraphModel harmless("h", "state a\ninitial a\na -> a\n");
  SimulationOptions options = walks(1, 5, 2);
  options.deadlock = Deadlock::off;
  const CheckResult result = simulate(harmless, options);
  EXPECT_EQ(result.verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(result.verdict.exit, Exit::simulated);
  EXPECT_FALSE(result.verdict.complete);
  EXPECT_EQ(result.walks->walks, 5U);
  EXPECT_EQ(result.walks->steps, 0U) << "a walk that can only stay has ended";
  for (const PropertyResult& property : result.properties(harmless, Deadlock::off))
    EXPECT_EQ(property.outcome, Outcome::inconclusive) << property.name;
}

TEST(Simulation, EndsAtItsDepth) {
  const GraphModel ring("r", "state a b\ninitial a\na -> b\nb -> a\n");
  const CheckResult result = simulate(ring, walks(1, 300, 3));
  EXPECT_EQ(result.walks->walks, 300U);
  EXPECT_EQ(result.walks->steps, 6000U);
  EXPECT_EQ(result.walks->longest, 20U);
}

TEST(Simulation, CountsStatesWheneverTheyAreVisited) {
  const GraphModel ring("r", "state a b c\ninitial a\na -> b\nb -> a\nc -> c\n");
  const CheckResult result = simulate(ring, walks(1, 3, 1));
  EXPECT_EQ(result.statistics.states, 63U);
  EXPECT_EQ(result.statistics.transitions, 63U);
}

}  // namespace
}  // namespace spillway
