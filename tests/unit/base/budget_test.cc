#include "base/memory/budget.h"

#include <gtest/gtest.h>

#include <barrier>
#include <random>

#include "base/process/crew.h"
#include "unit/caught.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TEST(Budget, BeginsUnused) {
  const Budget budget(100);
  EXPECT_EQ(budget.limit(), 100U);
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_EQ(budget.peak(), 0U);
  EXPECT_EQ(budget.left(), 100U);
}

TEST(Budget, GivesExactlyItsLimit) {
  Budget budget(100);
  EXPECT_TRUE(budget.draw(60));
  EXPECT_TRUE(budget.draw(40));
  EXPECT_EQ(budget.left(), 0U);
  EXPECT_TRUE(budget.draw(0));
  EXPECT_FALSE(budget.draw(1));
}

TEST(Budget, RefusalDrawsNothing) {
  Budget budget(100);
  ASSERT_TRUE(budget.draw(30));
  EXPECT_FALSE(budget.draw(71));
  EXPECT_EQ(budget.used(), 30U);
  EXPECT_EQ(budget.peak(), 30U);
  EXPECT_TRUE(budget.draw(70));
}

TEST(Budget, HugeRequestsDoNotWrapAround) {
  Budget budget(100);
  ASSERT_TRUE(budget.draw(50));
  EXPECT_FALSE(budget.draw(kMost));
  EXPECT_FALSE(budget.draw(kMost - 49));  // 50 + this == 0 modulo 2^64
  Budget boundless(kMost);
  EXPECT_TRUE(boundless.draw(kMost));
  EXPECT_FALSE(boundless.draw(1));
}

TEST(Budget, WhatIsGivenBackCanBeDrawnAgain) {
  Budget budget(100);
  ASSERT_TRUE(budget.draw(100));
  budget.give_back(40);
  EXPECT_EQ(budget.used(), 60U);
  EXPECT_FALSE(budget.draw(41));
  EXPECT_TRUE(budget.draw(40));
}

TEST(Budget, PeakIsTheMostEverUsed) {
  Budget budget(100);
  ASSERT_TRUE(budget.draw(80));
  budget.give_back(80);
  ASSERT_TRUE(budget.draw(10));
  EXPECT_EQ(budget.peak(), 80U);
}

TEST(Budget, GivingBackMoreThanWasDrawnIsABug) {
  Budget budget(100);
  ASSERT_TRUE(budget.draw(10));
  const auto error = caught([&] { budget.give_back(11); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::internal);
}

TEST(Budget, ManyThreadsNeverExceedIt) {
  constexpr std::uint64_t kLimit = 1000;
  Budget budget(kLimit);
  Crew crew(8);
  // by all threads: counted after drawing and before giving back
  std::atomic<std::uint64_t> held{0};
  crew.each([&](unsigned worker) {
    std::mt19937_64 random(worker);
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t bytes = random() % 400;
      if (!budget.draw(bytes)) continue;
      EXPECT_LE(held.fetch_add(bytes) + bytes, kLimit);
      EXPECT_LE(budget.used(), kLimit);
      held.fetch_sub(bytes);
      budget.give_back(bytes);
    }
  });
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_LE(budget.peak(), kLimit);
}

TEST(Budget, HasNoMoreLeftThanTheOneThatItIsWithin) {
  Budget whole(1000);
  Budget half(whole, 500);
  EXPECT_EQ(half.left(), 500U);
  ASSERT_TRUE(whole.draw(700));
  EXPECT_EQ(half.left(), 300U);
  ASSERT_TRUE(half.draw(200));
  EXPECT_EQ(half.left(), 100U);
  EXPECT_EQ(whole.left(), 100U);
}

TEST(Budget, ThreadsThatDrawAtTheSameTimeDoNotForgetEachOther) {
  Budget budget(1000);
  Crew crew(4);
  std::barrier all_here(4);
  std::atomic<unsigned> refusals{0};
  crew.each([&](unsigned) {
    all_here.arrive_and_wait();
    for (int i = 0; i < 200000; ++i) {
      if (budget.draw(1))
        budget.give_back(1);
      else
        ++refusals;
    }
  });
  EXPECT_EQ(refusals, 0U);
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_LE(budget.peak(), 4U);
}

}  // namespace
}  // namespace spillway
