// The same situations brought about by real searches, from the model to the verdict.
#include <gtest/gtest.h>

#include <csignal>

#include "algorithms/algorithms.h"
#include "check/check.h"
#include "check/session/signals.h"
#include "language/graph/graph_model.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

// 0 -> 1 -> ... -> 9, all good.
constexpr const char* kChain =
    "initial 0\n0 -> 1\n1 -> 2\n2 -> 3\n3 -> 4\n4 -> 5\n5 -> 6\n6 -> 7\n7 -> 8\n8 -> 9\n";

CheckResult run(
    const std::string& text,
    const std::function<void(CheckOptions&)>& change = [](CheckOptions&) {}) {
  const GraphModel model("graph", text);
  CheckOptions options;
  options.session.deadlock = model.deadlock();
  options.memory_bytes = std::uint64_t{64} << 20;
  change(options);
  return check_in_memory(model, algorithms().front(), options);
}

TEST(Situation, ADepthBoundAtTheEndOfTheGraphIsNotHit) {
  const CheckResult result = run(kChain, [](CheckOptions& o) { o.session.limits.max_depth = 9; });
  EXPECT_EQ(result.verdict.outcome, Outcome::verified);
}

TEST(Situation, ADepthBoundBeforeTheEndIs) {
  const CheckResult result = run(kChain, [](CheckOptions& o) { o.session.limits.max_depth = 8; });
  EXPECT_EQ(result.verdict.exit, Exit::bound);
  EXPECT_EQ(result.statistics.states, 9U);
}

TEST(Situation, AViolationAtTheDepthBoundIsFound) {
  const CheckResult result =
      run(std::string(kChain) + "bad 8\n", [](CheckOptions& o) { o.session.limits.max_depth = 8; });
  EXPECT_EQ(result.verdict.exit, Exit::invariant);
}

TEST(Situation, AViolationBehindTheDepthBoundIsNot) {
  const CheckResult result =
      run(std::string(kChain) + "bad 9\n", [](CheckOptions& o) { o.session.limits.max_depth = 8; });
  EXPECT_EQ(result.verdict.exit, Exit::bound);
}

TEST(Situation, ABoundOnStatesThatIsJustEnoughIsNotHit) {
  EXPECT_EQ(run(kChain, [](CheckOptions& o) { o.session.limits.max_states = 10; }).verdict.outcome,
            Outcome::verified);
  const CheckResult less = run(kChain, [](CheckOptions& o) { o.session.limits.max_states = 9; });
  EXPECT_EQ(less.verdict.exit, Exit::bound);
  EXPECT_EQ(less.statistics.states, 9U);
}

TEST(Situation, TimeOverBeforeTheFirstState) {
  const CheckResult result =
      run(kChain, [](CheckOptions& o) { o.session.limits.timeout_seconds = 0; });
  EXPECT_EQ(result.verdict.exit, Exit::time);
}

TEST(Situation, TooLittleMemoryToBeginIsAnError) {
  const CheckResult result = run(kChain, [](CheckOptions& o) { o.memory_bytes = 100; });
  EXPECT_EQ(result.verdict.outcome, Outcome::error);
}

TEST(Situation, ASignalBeforeTheSearchStopsIt) {
  const Signals signals;
  std::raise(SIGINT);
  EXPECT_EQ(run(kChain).verdict.exit, Exit::interrupted);
}

TEST(Situation, TerminationStopsItToo) {
  const Signals signals;
  std::raise(SIGTERM);
  EXPECT_EQ(run(kChain).verdict.exit, Exit::terminated);
}

TEST(Situation, ABadInitialStateIsACounterexampleOfNoSteps) {
  const CheckResult result = run("initial a\nbad a\na -> a\n");
  ASSERT_EQ(result.verdict.exit, Exit::invariant);
  EXPECT_EQ(result.traces.front().steps.size(), 1U);
}

TEST(Situation, TwoPropertiesViolatedAtOneDepthHaveATraceEach) {
  const CheckResult result = run("initial a\na -> b c\nbad first: b\nbad second: c\n");
  EXPECT_EQ(result.traces.size(), 2U);
}

TEST(Situation, OfTwoDepthsOnlyTheFirstIsReported) {
  const CheckResult result = run("initial a\na -> b\nb -> c\nbad first: c\nbad second: b\n");
  ASSERT_EQ(result.traces.size(), 1U);
  EXPECT_EQ(result.traces.front().finding.property, 1U);
}

TEST(Situation, AFailingRuleIsNoDeadlock) {
  const CheckResult result = run("deadlock stuck\ninitial a\nerror a : \"division by zero\"\n");
  EXPECT_EQ(result.verdict.exit, Exit::runtime_error);
  EXPECT_EQ(result.traces.size(), 1U);
}

TEST(Situation, DeadlockConventionsDiffer) {
  const std::string loop = "initial a\na -> b\nb -> b\n";
  EXPECT_EQ(run("deadlock off\n" + loop).verdict.outcome, Outcome::verified);
  EXPECT_EQ(run("deadlock stuck\n" + loop).verdict.outcome, Outcome::verified);
  EXPECT_EQ(run("deadlock stuttering\n" + loop).verdict.exit, Exit::deadlock);
}

}  // namespace
}  // namespace spillway
