// What each statement of the graph format means: docs/manual/graph-format.md.
#include "language/graph/graph_model.h"

#include <gtest/gtest.h>

#include "unit/model/walk.h"

namespace spillway {
namespace {

using Names = std::vector<std::string>;

TEST(GraphModel, TheExampleOfTheManual) {
  const GraphModel graph("lock", R"(
# Two processes and a lock that somebody forgot to take.
deadlock stuck
initial  idle
bad      "mutual exclusion": both

idle  -> left            : "left enters"
idle  -> right           : "right enters"
left  -> both            : "right enters"
left  -> idle            : "left leaves"
right -> both idle
both  -> left right
)");
  EXPECT_EQ(graph.name(), "lock");
  EXPECT_EQ(graph.words(), 1U);
  EXPECT_EQ(graph.row_bits(), 2U);
  EXPECT_EQ(graph.deadlock(), Deadlock::stuck);
  ASSERT_EQ(graph.properties().size(), 1U);
  EXPECT_EQ(graph.properties()[0].name, "mutual exclusion");
  EXPECT_EQ(graph.properties()[0].kind, PropertyKind::invariant);
  EXPECT_EQ(initial_of(graph), (Names{"idle by start"}));
  EXPECT_EQ(successors_of(graph, "idle"), (Names{"left by left enters", "right by right enters"}));
  EXPECT_EQ(successors_of(graph, "left"), (Names{"both by right enters", "idle by left leaves"}));
  EXPECT_EQ(successors_of(graph, "right"), (Names{"both by step", "idle by step"}));
  EXPECT_EQ(successors_of(graph, "both"), (Names{"left by step", "right by step"}));
  EXPECT_EQ(violated_in(graph, "both"), (Names{"mutual exclusion"}));
  EXPECT_EQ(violated_in(graph, "left"), Names{});
}

TEST(GraphModel, StatesAreNumberedFromTheirFirstUse) {
  const GraphModel graph("g", "state c a\nb -> a d\ninitial e\n");
  for (const Word i : {0, 1, 2, 3, 4}) EXPECT_EQ(name_of(graph, i), std::string(1, "cabde"[i]));
}

TEST(GraphModel, RowBitsAreThoseOfTheLargestNumber) {
  const auto bits = [](const std::string& states) {
    return GraphModel("g", "initial " + states).row_bits();
  };
  EXPECT_EQ(bits("0"), 1U);
  EXPECT_EQ(bits("0 1"), 1U);
  EXPECT_EQ(bits("0 1 2"), 2U);
  EXPECT_EQ(bits("0 1 2 3"), 2U);
  EXPECT_EQ(bits("0 1 2 3 4"), 3U);
}

TEST(GraphModel, InitialStatesKeepTheirOrder) {
  const GraphModel graph("g", "initial b a\ninitial c\n");
  EXPECT_EQ(initial_of(graph), (Names{"b by start", "a by start", "c by start"}));
}

TEST(GraphModel, AnEdgeNamedTwiceIsTwoTransitions) {
  const GraphModel graph("g", "initial a\na -> b b\na -> b : again\n");
  EXPECT_EQ(successors_of(graph, "a"), (Names{"b by step", "b by step", "b by again"}));
}

TEST(GraphModel, EdgesOfSeveralLinesAreInTheOrderOfTheText) {
  const GraphModel graph("g", "initial a\na -> c\nb -> a\na -> b a\n");
  EXPECT_EQ(successors_of(graph, "a"), (Names{"c by step", "b by step", "a by step"}));
  EXPECT_EQ(successors_of(graph, "c"), Names{});
}

TEST(GraphModel, BadWithoutANameIsTheInvariantGood) {
  const GraphModel graph("g", "initial a\nbad b\nbad good: c\n");
  ASSERT_EQ(graph.properties().size(), 1U);
  EXPECT_EQ(graph.properties()[0].name, "good");
  EXPECT_EQ(violated_in(graph, "b"), (Names{"good"}));
  EXPECT_EQ(violated_in(graph, "c"), (Names{"good"}));
}

TEST(GraphModel, PropertiesAreInTheOrderOfTheTextAndViolatedOnesToo) {
  const GraphModel graph("g", "initial a\nbad q: a b\nassert r: b\nbad p: a\nbad q: a\n");
  ASSERT_EQ(graph.properties().size(), 3U);
  EXPECT_EQ(graph.properties()[0].name, "q");
  EXPECT_EQ(graph.properties()[1].name, "r");
  EXPECT_EQ(graph.properties()[1].kind, PropertyKind::assertion);
  EXPECT_EQ(graph.properties()[2].name, "p");
  EXPECT_EQ(violated_in(graph, "a"), (Names{"q", "p"})) << "once each, in increasing order";
  EXPECT_EQ(violated_in(graph, "b"), (Names{"q"}));
}

TEST(GraphModel, ViolatedOnesAreInIncreasingOrderWhateverTheOrderOfTheLines) {
  const GraphModel graph("g", "initial a\nbad p: b\nbad q: a\nbad p: a\n");
  EXPECT_EQ(violated_in(graph, "a"), (Names{"p", "q"}));
}

TEST(GraphModel, AssertFailsWhenTheStateIsExpanded) {
  const GraphModel graph("g", "initial a\na -> b\nassert \"sorted\": a c\n");
  Successors out(1);
  graph.successors(row_of(graph, "a"), out);
  ASSERT_TRUE(out.failure());
  EXPECT_EQ(out.failure()->assertion, PropertyIndex{0});
  EXPECT_NE(out.failure()->message.find("sorted"), std::string::npos);
  EXPECT_EQ(out.size(), 1U) << "what else the state does is not forgotten";
  EXPECT_EQ(violated_in(graph, "a"), Names{}) << "an assertion is no invariant";
  graph.successors(row_of(graph, "b"), out);
  EXPECT_FALSE(out.failure());
}

TEST(GraphModel, ErrorFailsWhenTheStateIsExpanded) {
  const GraphModel graph("g", "initial a\nerror a : \"division by zero\"\n");
  EXPECT_TRUE(graph.properties().empty());
  Successors out(1);
  graph.successors(row_of(graph, "a"), out);
  ASSERT_TRUE(out.failure());
  EXPECT_FALSE(out.failure()->assertion);
  EXPECT_EQ(out.failure()->message, "division by zero");
  EXPECT_EQ(graph.rule_name(out.failure()->rule), "step");
}

TEST(GraphModel, Accepting) {
  const GraphModel graph("g", "initial a\naccepting b c\n");
  EXPECT_FALSE(graph.accepting(row_of(graph, "a")));
  EXPECT_TRUE(graph.accepting(row_of(graph, "b")));
  EXPECT_TRUE(graph.accepting(row_of(graph, "c")));
}

TEST(GraphModel, DeadlockConventions) {
  EXPECT_EQ(GraphModel("g", "initial a\n").deadlock(), Deadlock::off);
  EXPECT_EQ(GraphModel("g", "initial a\ndeadlock off\n").deadlock(), Deadlock::off);
  EXPECT_EQ(GraphModel("g", "initial a\ndeadlock stuck\n").deadlock(), Deadlock::stuck);
  EXPECT_EQ(GraphModel("g", "initial a\ndeadlock stuttering\n").deadlock(), Deadlock::stuttering);
}

TEST(GraphModel, ShowsAStateByItsName) {
  const GraphModel graph("g", "initial \"not a word\"\n");
  const std::vector<Word> row = {0};
  const std::vector<Variable> shown = graph.variables(row);
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].name, "state");
  EXPECT_EQ(shown[0].value, "not a word");
}

}  // namespace
}  // namespace spillway
