// Sets of nodes that are known to be on a common cycle.
#include "papers/depth_first/component_sets.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

using Entered = ComponentSets::Entered;

class ComponentSetsTest : public testing::Test {
 protected:
  Budget budget{1 << 24};
  ComponentSets sets{budget, 100, 0b11};
};

TEST_F(ComponentSetsTest, UnitedSetsHaveMetWhatBothHaveMet) {
  for (const StepNode node : {1, 2, 3}) sets.enter(node, 0);
  EXPECT_FALSE(sets.add_step(1, 0b01));
  EXPECT_FALSE(sets.add_step(2, 0b10));
  sets.unite(3, 1);
  EXPECT_FALSE(sets.add_step(3, 0b01));
  sets.unite(3, 2);
  EXPECT_TRUE(sets.add_step(1, 0));
  EXPECT_TRUE(sets.are_together(1, 2));
}

TEST_F(ComponentSetsTest, WhoHasEnteredOneHasEnteredBoth) {
  EXPECT_EQ(sets.enter(1, 0), Entered::first);
  EXPECT_EQ(sets.enter(2, 1), Entered::first);
  EXPECT_EQ(sets.enter(2, 1), Entered::again);
  sets.unite(1, 2);
  EXPECT_EQ(sets.enter(1, 1), Entered::again);
  EXPECT_EQ(sets.enter(2, 0), Entered::again);
  EXPECT_EQ(sets.enter(1, 2), Entered::first);
}

TEST_F(ComponentSetsTest, ASetIsCompleteWhenNoNodeIsLeft) {
  for (const StepNode node : {1, 2, 3}) sets.enter(node, 0);
  sets.unite(1, 2);
  sets.unite(3, 1);
  for (int i = 0; i < 3; ++i) {
    const std::optional<StepNode> node = sets.pick(2);
    ASSERT_TRUE(node.has_value());
    sets.remove(*node);
    sets.remove(*node);
  }
  EXPECT_EQ(sets.enter(2, 0), Entered::again);
  EXPECT_FALSE(sets.pick(1).has_value());
  EXPECT_EQ(sets.enter(2, 0), Entered::complete);
  EXPECT_EQ(sets.enter(3, 5), Entered::complete);
}

}  // namespace
}  // namespace spillway
