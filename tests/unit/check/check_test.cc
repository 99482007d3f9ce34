// check(): whatever happens becomes a verdict.
#include "check/check.h"
#include "folders.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "base/error.h"
#include "language/graph/graph_model.h"
#include "model/compiled_model.h"
#include "support/check_in_memory.h"
#include "unit/check/failing_start.h"
#include "unit/check/plain_search.h"

namespace spillway {
namespace {

CheckResult checked(const Model& model, const Algorithm& algorithm = kPlain,
                    Deadlock deadlock = Deadlock::off) {
  CheckOptions options;
  options.session.deadlock = deadlock;
  options.memory_bytes = 1 << 20;
  return check_in_memory(model, algorithm, options);
}

CheckResult checked(const char* misbehaving) {
  return checked(CompiledModel(model_file(std::string("misbehaving_") + misbehaving + ".so")));
}

const GraphModel kGood("good", "initial a\na -> b c\nb -> a\nbad p: z\nassert q: z\n");

TEST(Check, AGoodModelIsVerified) {
  const CheckResult result = checked(kGood);
  EXPECT_EQ(result.verdict.outcome, Outcome::verified);
  EXPECT_EQ(result.verdict.exit, Exit::verified);
  EXPECT_EQ(result.statistics.states, 3U);
  EXPECT_EQ(result.statistics.transitions, 3U);
  EXPECT_TRUE(result.traces.empty());
  EXPECT_GT(result.peak_memory_bytes, 0U);
  EXPECT_GE(result.seconds, 0);
}

TEST(Check, AViolationComesWithItsTrace) {
  const CheckResult result = checked(GraphModel("g", "initial a\na -> b\nb -> c\nbad c\n"));
  EXPECT_EQ(result.verdict.outcome, Outcome::violated);
  EXPECT_EQ(result.verdict.exit, Exit::invariant);
  ASSERT_EQ(result.traces.size(), 1U);
  EXPECT_EQ(result.traces[0].steps.size(), 3U);
}

TEST(Check, ExitCodesTellTheKindsApart) {
  EXPECT_EQ(checked(GraphModel("g", "initial a\nassert p: a\n")).verdict.exit, Exit::assertion);
  EXPECT_EQ(checked(GraphModel("g", "initial a\nerror a : m\n")).verdict.exit, Exit::runtime_error);
  EXPECT_EQ(checked(GraphModel("g", "initial a\n"), kPlain, Deadlock::stuck).verdict.exit,
            Exit::deadlock);
  EXPECT_EQ(checked(FailingStart(Failure{0, {}, "broken"})).verdict.exit, Exit::runtime_error);
}

TEST(Check, PropertiesOfAVerifiedModelHold) {
  const CheckResult result = checked(kGood);
  const std::vector<PropertyResult> all = result.properties(kGood, Deadlock::stuck);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "p");
  EXPECT_EQ(all[0].kind, PropertyKind::invariant);
  EXPECT_EQ(all[1].name, "q");
  EXPECT_EQ(all[1].kind, PropertyKind::assertion);
  EXPECT_EQ(all[2].name, "no deadlock");
  EXPECT_EQ(all[2].kind, PropertyKind::deadlock);
  EXPECT_EQ(all[3].name, "no run-time error");
  EXPECT_EQ(all[3].kind, PropertyKind::runtime_error);
  for (const PropertyResult& property : all) EXPECT_EQ(property.outcome, Outcome::verified);
  EXPECT_EQ(result.properties(kGood, Deadlock::off).size(), 3U) << "nobody asked about deadlocks";
}

TEST(Check, OfAViolatedModelTheOtherPropertiesAreNotDecided) {
  const GraphModel graph("g", "initial a\na -> b\nbad p: z\nbad q: a\nassert r: a\n");
  const CheckResult result = checked(graph, kPlain, Deadlock::stuck);
  const std::vector<PropertyResult> all = result.properties(graph, Deadlock::stuck);
  ASSERT_EQ(all.size(), 5U);
  const std::vector<Outcome> outcomes = {Outcome::inconclusive, Outcome::violated,
                                         Outcome::violated, Outcome::inconclusive,
                                         Outcome::inconclusive};
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].outcome, outcomes[i]) << all[i].name;
    EXPECT_EQ(all[i].trace != nullptr, all[i].outcome == Outcome::violated);
  }
}

TEST(Check, AModelThatBreaksItsPromisesIsAnErrorThatNamesTheFile) {
  for (const char* kind : {"unknown_invariant", "unknown_assertion", "unknown_rule"}) {
    const CheckResult result = checked(kind);
    EXPECT_EQ(result.verdict.outcome, Outcome::error) << kind;
    EXPECT_EQ(result.verdict.exit, Exit::model) << kind;
    EXPECT_NE(result.verdict.reason.find(std::string("misbehaving_") + kind + ".so: "),
              std::string::npos);
  }
}

TEST(Check, AModelThatCannotBeReplayedIsAnError) {
  EXPECT_EQ(checked("changing_content").verdict.outcome, Outcome::error);
}

TEST(Check, AModelWithoutInitialStatesIsAnError) {
  EXPECT_EQ(checked("no_start").verdict.outcome, Outcome::error);
  EXPECT_EQ(checked("no_start").verdict.exit, Exit::model);
}

TEST(Check, ModelsThatComeCloseAreChecked) {
  EXPECT_EQ(checked("nothing").verdict.exit, Exit::invariant);
  EXPECT_EQ(checked("many_successors").verdict.exit, Exit::invariant);
  EXPECT_EQ(checked("long_texts").verdict.exit, Exit::invariant);
  EXPECT_EQ(checked("failing_assertion").verdict.exit, Exit::assertion);
  EXPECT_EQ(checked("run_time_failure").verdict.exit, Exit::runtime_error);
}

// A search that fails in a way of its own.
template <class Thrown>
class Throwing final : public Search {
 public:
  using Search::Search;
  void search() override { Thrown::now(); }
  std::uint64_t stored() const override { return 0; }
};
template <class Thrown>
constexpr Algorithm kThrowing{"throwing", "",
                              [](const SearchContext& m) -> std::unique_ptr<Search> {
                                return std::make_unique<Throwing<Thrown>>(m);
                              }};

struct NoMemory {
  static void now() { throw std::bad_alloc(); }
};
struct Broken {
  static void now() { throw std::logic_error("something"); }
};
struct BadDisk {
  static void now() { throw Error(Fault::integrity, "block 7 of x is not what was written"); }
};

TEST(Check, WhatASearchThrowsBecomesTheVerdict) {
  EXPECT_EQ(checked(kGood, kThrowing<NoMemory>).verdict.exit, Exit::system);
  EXPECT_EQ(checked(kGood, kThrowing<Broken>).verdict.exit, Exit::internal);
  EXPECT_EQ(checked(kGood, kThrowing<BadDisk>).verdict.exit, Exit::integrity);
  EXPECT_EQ(checked(kGood, kThrowing<BadDisk>).verdict.reason,
            "block 7 of x is not what was written");
  EXPECT_EQ(checked(kGood, kThrowing<Broken>).verdict.outcome, Outcome::error);
}

struct Idle {
  static void now() {}
};

TEST(Check, ASearchThatDoesNothingVerifiesNothing) {
  EXPECT_EQ(checked(kGood, kThrowing<Idle>).verdict.outcome, Outcome::error);
}

}  // namespace
}  // namespace spillway
