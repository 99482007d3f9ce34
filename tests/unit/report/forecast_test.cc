#include "report/progress/forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spillway {
namespace {

LevelSizes sizes_of(const std::vector<std::uint64_t>& levels, std::size_t count) {
  LevelSizes sizes;
  for (std::size_t i = 0; i < count; ++i) sizes.set(i, levels[i]);
  return sizes;
}

// Grows, and then shrinks as it grew.
std::vector<std::uint64_t> bell(std::size_t levels, double most) {
  std::vector<std::uint64_t> all;
  const auto middle = static_cast<double>(levels - 1) / 2;
  for (std::size_t i = 0; i < levels; ++i) {
    const double away = (static_cast<double>(i) - middle) / middle;
    all.push_back(1 + static_cast<std::uint64_t>(most * std::exp(-6 * away * away)));
  }
  return all;
}

std::uint64_t sum(const std::vector<std::uint64_t>& levels) {
  return sizes_of(levels, levels.size()).states();
}

TEST(LevelSizes, BeginAgain) {
  LevelSizes sizes = sizes_of({1, 2, 4, 8}, 4);
  EXPECT_EQ(sizes.states(), 15);
  EXPECT_EQ(sizes.mean(1, 3), 14.0 / 3);
  sizes.set(5, 100);  // nothing is known of level 4
  EXPECT_EQ(sizes.count(), 4);
  sizes.set(3, 9);
  EXPECT_EQ(sizes.states(), 16);
  sizes.set(0, 7);
  EXPECT_EQ(sizes.count(), 1);
  EXPECT_EQ(sizes.states(), 7);
}

TEST(Forecast, NothingIsSaidBeforeAnythingIsKnown) {
  EXPECT_FALSE(forecast_states({}));
  EXPECT_FALSE(forecast_states(sizes_of(bell(100, 1e6), 7)));
  EXPECT_FALSE(forecast_states(sizes_of(std::vector<std::uint64_t>(20, 1), 20)));  // too few states
  LevelSizes doubling;
  for (std::uint64_t level = 0; level < 30; ++level) doubling.set(level, std::uint64_t{1} << level);
  EXPECT_FALSE(forecast_states(doubling));
  LevelSizes empty = sizes_of(bell(100, 1e6), 60);
  for (std::uint64_t level = 60; level < 64; ++level) empty.set(level, 0);
  for (std::uint64_t level = 64; level < 90; ++level) empty.set(level, 0);
  EXPECT_FALSE(forecast_states(empty));
}

TEST(Forecast, ContainsTheEndOfABellAndNarrows) {
  const std::vector<std::uint64_t> levels = bell(80, 1e6);
  double width = 1e9;
  for (const std::size_t known : {42, 50, 60, 70}) {
    const auto interval = forecast_states(sizes_of(levels, known));
    ASSERT_TRUE(interval) << known;
    EXPECT_LE(interval->low, sum(levels)) << known;
    EXPECT_GE(interval->high, sum(levels)) << known;
    EXPECT_GE(interval->low, sizes_of(levels, known).states());
    const double times = static_cast<double>(interval->high) / static_cast<double>(interval->low);
    EXPECT_LE(times, width * 1.1) << known;
    width = times;
  }
  EXPECT_LT(width, 2);
}

TEST(Forecast, IsTheSameForMoreLevelsOfTheSameShape) {
  const double few = *growth(sizes_of(bell(90, 1e6), 50));
  const double many = *growth(sizes_of(bell(9000, 1e6), 5000));
  EXPECT_NEAR(few, many, 0.2);
}

TEST(Forecast, TimeAndDiskGrowWithTheStates) {
  const LevelSizes sizes = sizes_of(bell(80, 1e6), 50);
  const auto states = *forecast_states(sizes);
  const auto plain = forecast(sizes, {});
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->seconds);
  EXPECT_FALSE(plain->disk_bytes);
  const auto all = forecast(sizes, {1'000'000, 500, 1000, sizes.states() * 10});
  ASSERT_TRUE(all && all->seconds && all->disk_bytes);
  EXPECT_DOUBLE_EQ(all->seconds->low, static_cast<double>(states.low - 1'000'000) / 1000);
  EXPECT_DOUBLE_EQ(all->seconds->high, static_cast<double>(states.high - 1'000'000) / 500);
  EXPECT_NEAR(static_cast<double>(all->disk_bytes->high), 10.0 * static_cast<double>(states.high),
              9);
  // One rate is enough.
  const auto recent = forecast(sizes, {0, 0, 100, 0});
  EXPECT_DOUBLE_EQ(recent->seconds->low, static_cast<double>(states.low) / 100);
}

TEST(Forecast, IsRoundedOutwards) {
  const auto round = [](std::uint64_t low, std::uint64_t high) { return rounded({low, high}); };
  EXPECT_EQ(round(99, 99), (Interval<std::uint64_t>{99, 99}));
  EXPECT_EQ(round(4'199, 18'001), (Interval<std::uint64_t>{4'100, 19'000}));
  EXPECT_EQ(round(4'200, 18'000), (Interval<std::uint64_t>{4'200, 18'000}));
  EXPECT_EQ(round(0, 999), (Interval<std::uint64_t>{0, 1'000}));
}

}  // namespace
}  // namespace spillway
