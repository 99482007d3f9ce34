#include "search/cycles/check_schedule.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace spillway {
namespace {

constexpr CheckIntervals kIntervals{.first = 10, .growth = 2, .later_growth = 4, .many = 100};

TEST(CheckSchedule, GrowsWithTheStates) {
  CheckSchedule schedule(kIntervals);
  EXPECT_FALSE(schedule.is_due(9));
  EXPECT_TRUE(schedule.is_due(10));
  schedule.have_checked(30);
  EXPECT_FALSE(schedule.is_due(59));
  EXPECT_TRUE(schedule.is_due(60));
  schedule.have_checked(100);
  EXPECT_FALSE(schedule.is_due(399));
  EXPECT_TRUE(schedule.is_due(400));
}

TEST(CheckSchedule, ThatGrowsTooMuchIsNeverDueAgain) {
  CheckSchedule schedule({.first = 1, .growth = 1e30});
  schedule.have_checked(1);
  EXPECT_FALSE(schedule.is_due(UINT64_MAX - 1));
}

// A search that goes on looks at the levels that one looks at which was never stopped.
TEST(CheckSchedule, IsRepeated) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    std::vector<Level> levels;
    CheckSchedule schedule(kIntervals);
    std::uint64_t states = 0, decided = 0;
    for (std::size_t depth = 0; depth < 20; ++depth) {
      levels.push_back({.states = 1 + random() % 20, .transitions = 0, .digest = {}});
      states += levels.back().states;
      if (depth == 0 || !schedule.is_due(states)) continue;
      schedule.have_checked(states);
      decided = states;
    }
    CheckSchedule again(kIntervals);
    again.repeat(levels, decided);
    CheckSchedule before(kIntervals);
    if (decided != 0) before.repeat(levels, decided - 1);
    for (std::uint64_t at = states; at < 10 * states; at += 1 + at / 10)
      ASSERT_EQ(again.is_due(at), schedule.is_due(at)) << at;
    if (decided != 0) {
      ASSERT_TRUE(before.is_due(decided)) << "that check was not made";
    }
  }
}

}  // namespace
}  // namespace spillway
