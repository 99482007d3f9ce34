// Only traces that can be replayed are believed.
#include "check/trace/trace.h"
#include "folders.h"

#include <gtest/gtest.h>

#include "language/graph/graph_model.h"
#include "model/compiled_model.h"
#include "support/changed_steps.h"
#include "support/memory_disk.h"
#include "unit/caught.h"
#include "unit/check/failing_start.h"
#include "unit/check/plain_search.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// The states are numbered as they are named.  0 -> 1 -> 2 -> 3, where 3 is bad and stuck; 4 is bad,
// too, but cannot be reached, and 5 is another initial state.
const GraphModel kGraph("g", R"(
state 0 1 2 3 4 5
initial 0 5
0 -> 1
1 -> 2 : second
2 -> 2 3
4 -> 4 3
5 -> 5
bad 3 4
bad other: 4
assert p: 2
error 5 : m
)");

Trace trace_of(const std::vector<Word>& states, PropertyKind kind = PropertyKind::invariant,
               PropertyIndex property = 0) {
  Trace trace{{kind, property, states.size() - 1, {states.back()}, {}}, {}, true};
  for (const Word s : states) trace.steps.push_back({0, {s}});
  return trace;
}

bool is_confirmed(const Trace& trace) { return confirmed(kGraph, Deadlock::stuck, trace); }

TEST(Confirmed, AWayFromAnInitialStateToABadOne) {
  EXPECT_TRUE(is_confirmed(trace_of({0, 1, 2, 3})));
  EXPECT_TRUE(is_confirmed(trace_of({0, 1, 2, 2, 3}))) << "it need not be the shortest";
}

TEST(Confirmed, EveryKindOfFindingWhereItIsTrue) {
  EXPECT_TRUE(is_confirmed(trace_of({0, 1, 2, 3}, PropertyKind::deadlock)));
  EXPECT_TRUE(is_confirmed(trace_of({0, 1, 2}, PropertyKind::assertion, 2)));
  EXPECT_TRUE(is_confirmed(trace_of({5}, PropertyKind::runtime_error)));
}

TEST(Confirmed, NotAStepThatIsNone) {
  EXPECT_FALSE(is_confirmed(trace_of({0, 2, 3})));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 3})));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 1, 2, 3})));
}

TEST(Confirmed, NotFromAStateThatIsNotInitial) {
  EXPECT_FALSE(is_confirmed(trace_of({1, 2, 3})));
  EXPECT_FALSE(is_confirmed(trace_of({4})));
  EXPECT_FALSE(is_confirmed(trace_of({4, 3})));
}

TEST(Confirmed, NotToAStateWhereNothingIsWrong) {
  EXPECT_FALSE(is_confirmed(trace_of({0})));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2})));
}

TEST(Confirmed, NotToAStateWhereSomethingElseIsWrong) {
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2, 3}, PropertyKind::invariant, 1)))
      << "another invariant";
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2, 3}, PropertyKind::assertion, 2)));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2, 3}, PropertyKind::runtime_error)));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2}, PropertyKind::deadlock)));
  EXPECT_FALSE(is_confirmed(trace_of({0, 1, 2}, PropertyKind::runtime_error))) << "an assertion";
  EXPECT_FALSE(is_confirmed(trace_of({5}, PropertyKind::assertion, 2))) << "a run-time error";
}

TEST(Confirmed, NotADeadlockThatIsNoneByTheConvention) {
  EXPECT_FALSE(confirmed(kGraph, Deadlock::off, trace_of({0, 1, 2, 3}, PropertyKind::deadlock)));
}

TEST(Confirmed, NotToAnotherStateThanTheFindings) {
  Trace trace = trace_of({0, 1, 2, 3});
  trace.finding.row = {4};
  EXPECT_FALSE(is_confirmed(trace));
}

TEST(Confirmed, NotWithAnotherNumberOfStepsThanTheDepth) {
  for (const std::uint64_t depth : {0, 2, 4}) {
    Trace trace = trace_of({0, 1, 2, 3});
    trace.finding.depth = depth;
    EXPECT_FALSE(is_confirmed(trace)) << depth;
  }
  Trace none = trace_of({0, 1, 2, 3});
  none.steps.clear();
  EXPECT_FALSE(is_confirmed(none));
}

// Each step is in one of two sets: 0 -> 0 in the first, 0 -> 1 in both in turn, 1 -> 0 in none.
class TwoSets final : public ChangedSteps, public Acceptance {
 public:
  explicit TwoSets(const Model& model) : ChangedSteps(model) { composition_.acceptance = this; }
  std::optional<std::string> property() const override { return "two"; }
  bool marks_steps() const override { return true; }
  unsigned sets() const override { return 2; }
  void successors(State state, Successors& out) const override {
    ChangedSteps::successors(state, out);
    if (out.marks() == nullptr) return;
    SetMask* const marks = out.marks() - out.size();
    if (state[0] == 0) std::ranges::copy(std::vector<SetMask>{1, 1, 2}, marks);
    if (state[0] == 1) marks[0] = 0;
  }
};

TEST(Confirmed, ALoopThatMeetsAllSets) {
  GraphModel graph("g", "initial 0\n0 -> 0 1 1\n1 -> 0\n");
  const TwoSets model(graph);
  const auto is_loop = [&](const std::vector<Word>& loop) {
    Trace trace = trace_of({0}, PropertyKind::acceptance);
    for (const Word state : loop) {
      trace.finding.loop.push_back({state});
      trace.steps.push_back({0, {state}});
    }
    return confirmed(model, Deadlock::off, trace);
  };
  EXPECT_TRUE(is_loop({1, 0})) << "by two steps between the same states";
  EXPECT_TRUE(is_loop({0, 1, 0}));
  EXPECT_FALSE(is_loop({0})) << "it lacks a set";
  EXPECT_FALSE(is_loop({0, 0})) << "it lacks a set";
  EXPECT_FALSE(is_loop({1})) << "it does not come back";
  EXPECT_FALSE(is_loop({}));
}

TEST(Confirmed, AStartThatFailsHasNoSteps) {
  const FailingStart model(Failure{0, {}, "broken"});
  const Finding finding{PropertyKind::runtime_error, 0, 0, {}, Failure{0, {}, "broken"}};
  EXPECT_TRUE(confirmed(model, Deadlock::off, {finding, {}, true}));
  EXPECT_FALSE(confirmed(model, Deadlock::off, {finding, {{0, {0}}}, true}));
}

// The finding has no state, but it can be executed again all the same.
TEST(StartThatFails, IsBelievedOnlyIfItFailsAgain) {
  const Finding error{PropertyKind::runtime_error, 0, 0, {}, Failure{0, {}, "broken"}};
  const Finding assertion{
      PropertyKind::assertion, 0, 0, {}, Failure{0, PropertyIndex{0}, "broken"}};
  const Finding invariant{PropertyKind::invariant, 0, 0, {}, {}};
  const FailingStart sound{std::nullopt};
  const FailingStart failing{Failure{0, {}, "broken"}};
  EXPECT_FALSE(confirmed(sound, Deadlock::off, {error, {}, true}));
  EXPECT_FALSE(confirmed(sound, Deadlock::off, {assertion, {}, true}));
  EXPECT_FALSE(confirmed(failing, Deadlock::off, {assertion, {}, true}))
      << "it fails for another reason";
  EXPECT_FALSE(confirmed(failing, Deadlock::off, {invariant, {}, true}));
}

// A search that was carried out, for the way back.
class MakeTrace : public testing::Test {
 protected:
  static Trace of(const Model& model, const Finding& finding) {
    Session session(model, {});
    Budget budget(1 << 20);
    Crew crew(1);
    MemoryDisk disk;
    PlainSearch search({session, budget, crew, disk});
    try {
      search.search();
    } catch (const Finished&) {
    }
    return make_trace(model, Deadlock::off, search, crew, finding);
  }
};

TEST_F(MakeTrace, FindsTheWayBackAndTheRules) {
  const GraphModel graph("g", "initial 0\n0 -> 1 : first\n1 -> 2 : second\nbad 2\n");
  const Trace trace = of(graph, {PropertyKind::invariant, 0, 2, {2}, {}});
  ASSERT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(graph.rule_name(trace.steps[0].rule), "start");
  EXPECT_EQ(trace.steps[1].row, Row{1});
  EXPECT_EQ(graph.rule_name(trace.steps[1].rule), "first");
  EXPECT_EQ(graph.rule_name(trace.steps[2].rule), "second");
  EXPECT_TRUE(confirmed(graph, Deadlock::off, trace));
}

TEST_F(MakeTrace, OfSeveralWaysTakesThatOfTheSmallestStates) {
  const GraphModel graph(
      "g", "state 0 1 2 3\ninitial 0\n0 -> 2 1 : \"big first\"\n2 -> 3\n1 -> 3 3 : r\nbad 3\n");
  const Trace trace = of(graph, {PropertyKind::invariant, 0, 2, {3}, {}});
  ASSERT_EQ(trace.steps.size(), 3U);
  EXPECT_EQ(trace.steps[1].row, Row{1});
}

TEST_F(MakeTrace, OfAnInitialStateIsThatState) {
  const GraphModel graph("g", "initial 0 1\nbad 1\n");
  const Trace trace = of(graph, {PropertyKind::invariant, 0, 0, {1}, {}});
  ASSERT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.steps[0].row, Row{1});
  EXPECT_EQ(trace.steps[0].rule, kNoRule);
}

TEST_F(MakeTrace, OfSomethingThatIsNotTrueIsAnError) {
  const GraphModel graph("g", "initial 0\n0 -> 1\n1 -> 2\nbad 2\n");
  const auto error = caught([&] { of(graph, {PropertyKind::invariant, 0, 1, {1}, {}}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::internal);
  EXPECT_NE(std::string(error->what()).find("could not be replayed"), std::string::npos)
      << error->what();
}

TEST_F(MakeTrace, OfAModelWithOtherSuccessorsEachTimeIsAnError) {
  const CompiledModel model(model_file("misbehaving_changing_content.so"));
  Session session(model, {});
  Budget budget(1 << 20);
  Crew crew(1);
  MemoryDisk disk;
  PlainSearch search({session, budget, crew, disk});
  EXPECT_THROW(search.search(), Finished);
  ASSERT_EQ(session.findings.all().size(), 1U);
  const auto error =
      caught([&] { make_trace(model, Deadlock::off, search, crew, session.findings.all()[0]); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_NE(std::string(error->what()).find("has other successors when it is expanded again"),
            std::string::npos);
}

}  // namespace
}  // namespace spillway
