#include "base/state.h"

#include <gtest/gtest.h>

#include <vector>

namespace spillway {
namespace {

using Row = std::vector<Word>;

TEST(States, AreTheRowsOfTheBufferInOrder) {
  const Row buffer = {1, 2, 3, 4, 5, 6};
  const States states(buffer.data(), 3, 2);
  ASSERT_EQ(states.size(), 3U);
  EXPECT_EQ(states[1].data(), buffer.data() + 2);
  std::vector<Row> seen;
  for (const State s : states) seen.emplace_back(s.begin(), s.end());
  EXPECT_EQ(seen, (std::vector<Row>{{1, 2}, {3, 4}, {5, 6}}));
}

TEST(States, NoneByDefault) {
  const States none;
  EXPECT_TRUE(none.empty());
  for (const State s : none) ADD_FAILURE() << s[0];
}

TEST(StateOrder, LastWordDecidesFirst) {
  EXPECT_TRUE(less(Row{9, 1}, Row{0, 2}));
  EXPECT_FALSE(less(Row{0, 2}, Row{9, 1}));
  EXPECT_TRUE(less(Row{1, 1}, Row{2, 1}));
}

TEST(StateOrder, WordsAreUnsigned) { EXPECT_TRUE(less(Row{1}, Row{~Word{0}})); }

TEST(StateOrder, NoStateIsLessThanItself) { EXPECT_FALSE(less(Row{7, 8}, Row{7, 8})); }

TEST(StateEquality, NeedsEveryWord) {
  EXPECT_TRUE(equal(Row{1, 2, 3}, Row{1, 2, 3}));
  EXPECT_FALSE(equal(Row{0, 2, 3}, Row{1, 2, 3}));
  EXPECT_FALSE(equal(Row{1, 2, 3}, Row{1, 2, 4}));
}

}  // namespace
}  // namespace spillway
