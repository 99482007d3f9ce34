#include "search/ram/runs_rule.h"

#include <gtest/gtest.h>

#include <vector>

namespace spillway {
namespace {

constexpr RunsRule kRule{.most_words = 1, .least_states = 1000, .most_levels = 4};

std::vector<Level> levels(const std::vector<std::uint64_t>& sizes) {
  std::vector<Level> all;
  for (const std::uint64_t size : sizes)
    all.push_back({.states = size, .transitions = 0, .digest = {}});
  return all;
}

TEST(RunsRule, WhereLevelsAreWideAndGrow) {
  EXPECT_TRUE(runs_are_faster(kRule, 1, 1000, levels({100, 200, 300}), 400));
  EXPECT_TRUE(runs_are_faster(kRule, 1, 50000, levels({10000, 12000}), 15000));
}

TEST(RunsRule, NotWithFewStates) {
  EXPECT_FALSE(runs_are_faster(kRule, 1, 999, levels({100, 200, 299}), 400));
}

TEST(RunsRule, NotWithLongRows) {
  EXPECT_FALSE(runs_are_faster(kRule, 2, 1000, levels({100, 200, 300}), 400));
}

TEST(RunsRule, NotInNarrowLevels) {
  EXPECT_TRUE(runs_are_faster(kRule, 1, 1603, levels({603, 300, 300}), 400));
  EXPECT_FALSE(runs_are_faster(kRule, 1, 1604, levels({604, 300, 300}), 400));
}

// Compared with the level before the last: every other one may be small.
TEST(RunsRule, NotWhereLevelsHardlyGrow) {
  EXPECT_TRUE(runs_are_faster(kRule, 1, 1040, levels({400, 200}), 420));
  EXPECT_TRUE(runs_are_faster(kRule, 1, 1400, levels({400, 500, 100}), 525));
  EXPECT_FALSE(runs_are_faster(kRule, 1, 1400, levels({400, 500, 100}), 524));
  EXPECT_FALSE(runs_are_faster(kRule, 1, 1040, levels({400, 200}), 419));
  EXPECT_FALSE(runs_are_faster(kRule, 1, 1400, levels({100, 600, 500}), 500));
}

TEST(RunsRule, NotBeforeThereAreTwoLevels) {
  EXPECT_FALSE(runs_are_faster(kRule, 1, 3000, levels({1}), 2999));
  EXPECT_FALSE(runs_are_faster(kRule, 1, 3000, {}, 3000));
}

}  // namespace
}  // namespace spillway
