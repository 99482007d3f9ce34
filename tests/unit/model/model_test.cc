// A model is put together from parts, and a model that wraps it replaces some of them.
#include "model/model.h"

#include <gtest/gtest.h>

#include "language/graph/graph_model.h"
#include "support/changed_steps.h"

namespace spillway {
namespace {

const GraphModel kGraph("g",
                        "initial a\na -> b\nb -> a\nbad never: b\naccepting b\ndeadlock stuck\n");

// Goes nowhere.
class Still final : public ChangedSteps {
 public:
  using ChangedSteps::ChangedSteps;
  void successors(State, Successors& out) const override { out.add(0); }
};

std::size_t successors(const Model& model) {
  Successors out(model.words());
  model.steps().successors(std::vector<Word>{0}, out);
  return out.size();
}

TEST(Model, SharesWhatItDoesNotReplace) {
  const Still still(kGraph);
  EXPECT_EQ(successors(kGraph), 1U);
  EXPECT_EQ(successors(still), 0U);
  EXPECT_EQ(&still.conditions(), &kGraph.conditions());
  EXPECT_EQ(&still.acceptance(), &kGraph.acceptance());
  EXPECT_EQ(&still.description(), &kGraph.description());
  EXPECT_EQ(&still.runtime(), &kGraph.runtime());
  EXPECT_EQ(&still.quotient(), &kGraph.quotient());
  EXPECT_EQ(still.name(), "g");
  ASSERT_EQ(still.properties().size(), 1U);
  EXPECT_EQ(still.properties()[0].name, "never");
  EXPECT_EQ(still.deadlock(), Deadlock::stuck);
}

TEST(Model, StandsForItsOwnStates) {
  const Still still(kGraph);
  EXPECT_EQ(&kGraph.concrete(), &kGraph);
  EXPECT_EQ(&still.concrete(), &still);
  Composition composition = still.composition();
  composition.concrete = &kGraph;
  EXPECT_EQ(&Model(std::move(composition)).concrete(), &kGraph);
}

TEST(Model, SaysWhatItsRowsMean) {
  EXPECT_EQ(kGraph.layout(), "1 words, 1 bits\n");
  Composition composition = kGraph.composition();
  composition.layout = "something else";
  EXPECT_EQ(Model(std::move(composition)).layout(), "something else");
}

TEST(Model, WithoutPartsHasNothingToSay) {
  const Model least({.steps = &kGraph.steps(), .description = &kGraph.description()});
  PropertyIndex noted = 0;
  std::optional<Failure> failure;
  const std::vector<Word> bad{1};
  EXPECT_EQ(kGraph.conditions().check(bad, &noted), 1U);
  EXPECT_EQ(least.conditions().check(bad, &noted), 0U);
  EXPECT_EQ(least.conditions().propositions(), 0U);
  EXPECT_FALSE(least.acceptance().property());
  EXPECT_EQ(least.acceptance().sets(), 0U);
  EXPECT_EQ(kGraph.acceptance().sets(), 1U);
  EXPECT_TRUE(least.runtime().executions().empty());
}

}  // namespace
}  // namespace spillway
