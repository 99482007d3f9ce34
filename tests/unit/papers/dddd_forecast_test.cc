#include "papers/states/dddd_forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace spillway {
namespace {

TEST(Forecast, NeedsTwoLevels) {
  Forecast forecast;
  forecast.measure({1});
  EXPECT_FALSE(forecast.ready());
  forecast.measure({4});
  EXPECT_TRUE(forecast.ready());
}

TEST(Forecast, RatesFallTowardsOneAndThenTowardsZero) {
  EXPECT_DOUBLE_EQ(Forecast::next_rate(4), 4 * std::pow(4.01, -0.7));
  EXPECT_DOUBLE_EQ(Forecast::next_rate(0.5), 0.5 * std::pow(0.49, 0.2));
  EXPECT_GT(Forecast::next_rate(0.001), 0);  // the base would be negative
  double rate = 10;
  for (int i = 0; i < 200; ++i) {
    const double next = Forecast::next_rate(rate);
    EXPECT_LT(next, rate);
    rate = next;
  }
  EXPECT_LT(rate, 0.5);
}

TEST(Forecast, LevelsFollowTheLastMeasuredRate) {
  Forecast forecast;
  forecast.measure({100, 400});
  EXPECT_DOUBLE_EQ(forecast.level(0), 400);
  const double rate = Forecast::next_rate(4);
  EXPECT_DOUBLE_EQ(forecast.level(1), 400 * rate);
  EXPECT_DOUBLE_EQ(forecast.level(2), 400 * rate * Forecast::next_rate(rate));
}

TEST(Forecast, WhatIsBeyondTheForecastAreDuplicates) {
  Forecast forecast;
  forecast.measure({100, 400});
  EXPECT_EQ(forecast.duplicates(forecast.level(1) / 2), 0);  // never less than none
  forecast.delay(forecast.level(1) + 50);
  EXPECT_NEAR(forecast.duplicates(forecast.level(2) + 10), 50 + 1.02 * 10, 1e-9);
  forecast.measure({600, 700});
  EXPECT_EQ(forecast.duplicates(0), 0);  // counted anew after a detection
  forecast.delay(100'000);
  EXPECT_GT(forecast.duplicates(0), 90'000);
  forecast.measure({600, 700});
  EXPECT_EQ(forecast.duplicates(0), 0);
}

TEST(Forecast, DelaysWhileReadingCostsMoreThanRevisits) {
  Forecast forecast;
  forecast.measure({100, 400});
  const double candidates = forecast.level(1) + 100;  // a revisit costs 2 + 3 * (2 + 4) = 20
  EXPECT_TRUE(forecast.delaying(candidates, 2001, 4));
  EXPECT_FALSE(forecast.delaying(candidates, 1999, 4));
}

TEST(Forecast, ErrorIsTakenBetweenDetections) {
  Forecast forecast;
  forecast.measure({100, 400});
  EXPECT_EQ(forecast.error(), 0);
  const double one = forecast.level(1);
  const double two = forecast.level(2);
  const auto first = static_cast<std::uint64_t>(one) + 100;
  const auto second = static_cast<std::uint64_t>(two) - 100;
  forecast.measure({first, second});  // the errors of the two levels balance
  EXPECT_LT(forecast.error(), 0.01);
}

}  // namespace
}  // namespace spillway
