// Limits end a search, and only when they keep it from something.
#include <gtest/gtest.h>

#include "check/check.h"
#include "language/graph/graph_model.h"
#include "support/check_in_memory.h"
#include "unit/check/plain_search.h"

namespace spillway {
namespace {

// levels of 1, 1, 2, 1
const GraphModel kChain("chain", "initial 0\n0 -> 1\n1 -> 2 2b\n2 -> 3\n3 -> 3\n");

CheckResult checked(const Limits& limits, const Model& model = kChain) {
  CheckOptions options;
  options.session.limits = limits;
  options.memory_bytes = 1 << 20;
  return check_in_memory(model, kPlain, options);
}

Limits depth(std::uint64_t most) {
  Limits limits;
  limits.max_depth = most;
  return limits;
}
Limits states(std::uint64_t most) {
  Limits limits;
  limits.max_states = most;
  return limits;
}

TEST(MaxDepth, StatesFurtherAwayAreNotLookedAt) {
  for (const std::uint64_t most : {0, 1, 2}) {
    const CheckResult result = checked(depth(most));
    EXPECT_EQ(result.verdict.outcome, Outcome::inconclusive);
    EXPECT_EQ(result.verdict.exit, Exit::bound);
    EXPECT_EQ(result.statistics.depth(), most);
  }
}

TEST(MaxDepth, OfTheWholeGraphIsNoLimit) {
  EXPECT_EQ(checked(depth(3)).verdict.outcome, Outcome::verified);
  EXPECT_EQ(checked(depth(3)).statistics.states, 5U);
}

TEST(MaxStates, ALevelThatWouldExceedItIsNotLookedAt) {
  EXPECT_EQ(checked(states(1)).statistics.states, 1U);
  EXPECT_EQ(checked(states(2)).statistics.states, 2U);
  EXPECT_EQ(checked(states(3)).statistics.states, 2U) << "the level has two states";
  EXPECT_EQ(checked(states(4)).statistics.states, 4U);
  for (const std::uint64_t most : {1, 2, 3, 4})
    EXPECT_EQ(checked(states(most)).verdict.exit, Exit::bound);
}

TEST(MaxStates, OfTheWholeGraphIsNoLimit) {
  EXPECT_EQ(checked(states(5)).verdict.outcome, Outcome::verified);
}

// Not by searches alone that call have_stored(): Run counts the states itself.
TEST(MaxStates, ExceededByTheInitialStatesEndsTheSearch) {
  const GraphModel wide("wide", "initial 0 1 2 3\n3 -> 4\n4 -> 5\n");
  const CheckResult result = checked(states(3), wide);
  EXPECT_EQ(result.verdict.exit, Exit::bound);
  EXPECT_EQ(result.statistics.states, 0U) << "the level is not looked at";
}

TEST(HaveStored, MoreThanTheLimitEndsTheLevel) {
  SessionOptions options;
  options.limits.max_states = 10;
  Session session(kChain, options);
  session.levels.begin(1);
  session.levels.have_stored(10);
  EXPECT_FALSE(session.levels.discarding());
  session.levels.have_stored(11);
  EXPECT_TRUE(session.levels.discarding());
  session.expanders[0].expand(std::vector<Word>{0});
  EXPECT_THROW(session.levels.end_level(10), Finished);
  EXPECT_EQ(session.lookout.stop(), Stop::states);
}

TEST(Timeout, EndsTheSearch) {
  Limits limits;
  limits.timeout_seconds = 0;
  const CheckResult result = checked(limits);
  EXPECT_EQ(result.verdict.outcome, Outcome::inconclusive);
  EXPECT_EQ(result.verdict.exit, Exit::time);
  EXPECT_EQ(result.statistics.states, 0U);
}

TEST(Limits, AViolationInTheLastLevelIsStillFound) {
  const GraphModel bad("bad", "initial 0\n0 -> 1\n1 -> 2\nbad 1\n");
  EXPECT_EQ(checked(depth(1), bad).verdict.exit, Exit::invariant);
  EXPECT_EQ(checked(states(2), bad).verdict.exit, Exit::invariant);
  EXPECT_EQ(checked(depth(0), bad).verdict.exit, Exit::bound) << "but not behind it";
}

}  // namespace
}  // namespace spillway
