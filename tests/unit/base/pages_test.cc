#include "base/memory/pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/process/machine.h"

namespace spillway {
namespace {

constexpr std::size_t kPiece = Pages::kPiece;
constexpr std::size_t kMiB = std::size_t{1} << 20;

bool all_bytes_are(const Pages& pages, std::size_t from, std::size_t to, unsigned char value) {
  return std::all_of(pages.data() + from, pages.data() + to,
                     [&](std::byte b) { return b == std::byte{value}; });
}

TEST(Pages, AreZeroedAndAsLargeAsAskedFor) {
  Budget budget(64 * kMiB);
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{4096}, std::size_t{4097}, kPiece, 3 * kPiece + 1}) {
    const auto pages = Pages::get(budget, bytes);
    ASSERT_TRUE(pages);
    EXPECT_GE(pages->size(), bytes);
    EXPECT_LT(pages->size(), bytes + 4096);
    EXPECT_EQ(budget.used(), pages->size());
    EXPECT_TRUE(all_bytes_are(*pages, 0, pages->size(), 0));
    std::memset(pages->data(), 0xff, pages->size());  // all of it can be written
  }
}

TEST(Pages, AreAligned) {
  Budget budget(64 * kMiB);
  for (int i = 0; i < 5; ++i) {
    const auto small = Pages::get(budget, 5000);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(small->data()) % 4096, 0U);
    const auto large = Pages::get(budget, kPiece + 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large->data()) % kPiece, 0U);
  }
}

TEST(Pages, GiveTheBudgetBackWhenTheyGo) {
  Budget budget(8 * kMiB);
  { const auto pages = Pages::get(budget, 3 * kMiB); }
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_EQ(budget.peak(), 3 * kMiB);
}

TEST(Pages, MovingThemDoesNotPayTwice) {
  Budget budget(8 * kMiB);
  {
    Pages first = std::move(*Pages::get(budget, kMiB));
    Pages second = std::move(first);
    EXPECT_EQ(second.size(), kMiB);
    second = std::move(*Pages::get(budget, 2 * kMiB));
    EXPECT_EQ(second.size(), 2 * kMiB);
    EXPECT_EQ(budget.used(), 2 * kMiB) << "what was assigned over is gone";
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Pages, RefusedByTheBudget) {
  Budget budget(kMiB);
  EXPECT_FALSE(Pages::get(budget, kMiB + 1));
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_TRUE(Pages::get(budget, kMiB));
}

TEST(Pages, RefusedByTheSystem) {
  Budget budget(~std::uint64_t{0});
  EXPECT_FALSE(Pages::get(budget, std::size_t{1} << 60));
  EXPECT_FALSE(Pages::get(budget, ~std::size_t{0}));
  EXPECT_EQ(budget.used(), 0U);
}

TEST(PagesReplacing, TakesOverWhatTheOldOnesHaveDrawn) {
  Budget budget(64 * kMiB);
  {
    auto old = Pages::get(budget, 4 * kMiB);
    {
      const auto larger = Pages::replacing(*old, 6 * kMiB, kMiB);
      ASSERT_TRUE(larger);
      EXPECT_EQ(larger->size(), 6 * kMiB);
      EXPECT_EQ(budget.used(), 7 * kMiB) << "the larger ones and the slack";
      EXPECT_TRUE(all_bytes_are(*larger, 0, larger->size(), 0));
      old.reset();
      EXPECT_EQ(budget.used(), 6 * kMiB) << "the slack went with the old ones";
    }
    EXPECT_EQ(budget.used(), 0U);
  }
}

TEST(PagesReplacing, EitherMayGoFirst) {
  Budget budget(64 * kMiB);
  auto old = Pages::get(budget, 4 * kMiB);
  auto larger = Pages::replacing(*old, 6 * kMiB, kMiB);
  larger.reset();
  EXPECT_EQ(budget.used(), kMiB);
  old.reset();
  EXPECT_EQ(budget.used(), 0U);
}

TEST(PagesReplacing, NeedsTheDifferenceAndTheSlackAndNoMore) {
  Budget budget(7 * kMiB);
  auto old = Pages::get(budget, 4 * kMiB);
  EXPECT_FALSE(Pages::replacing(*old, 6 * kMiB, kMiB + 4096));
  EXPECT_TRUE(Pages::replacing(*old, 6 * kMiB, kMiB));
}

TEST(PagesReplacing, RefusalLeavesBudgetAndOldPagesAsTheyWere) {
  Budget budget(~std::uint64_t{0});
  Budget small(5 * kMiB);
  auto by_system = Pages::get(budget, 4 * kMiB);
  auto by_budget = Pages::get(small, 4 * kMiB);
  std::memset(by_budget->data(), 7, by_budget->size());
  EXPECT_FALSE(Pages::replacing(*by_system, std::size_t{1} << 60, 0));
  EXPECT_FALSE(Pages::replacing(*by_budget, 6 * kMiB, 0));
  EXPECT_EQ(budget.used(), 4 * kMiB);
  EXPECT_EQ(small.used(), 4 * kMiB);
  EXPECT_TRUE(all_bytes_are(*by_budget, 0, by_budget->size(), 7));
  by_budget.reset();
  by_system.reset();
  EXPECT_EQ(budget.used() + small.used(), 0U);
}

TEST(PagesRelease, WholePiecesInsideTheRangeBecomeZero) {
  Budget budget(64 * kMiB);
  auto pages = Pages::get(budget, 4 * kPiece);
  std::memset(pages->data(), 7, pages->size());
  pages->release(1, 3 * kPiece - 1);
  EXPECT_TRUE(all_bytes_are(*pages, 0, kPiece, 7)) << "released from its second byte only";
  EXPECT_TRUE(all_bytes_are(*pages, kPiece, 2 * kPiece, 0));
  EXPECT_TRUE(all_bytes_are(*pages, 2 * kPiece, 4 * kPiece, 7)) << "released but for its last byte";
}

TEST(PagesRelease, ARangeWithoutAWholePieceDoesNothing) {
  Budget budget(64 * kMiB);
  auto pages = Pages::get(budget, 2 * kPiece);
  std::memset(pages->data(), 7, pages->size());
  pages->release(100, kPiece + 100);
  pages->release(kPiece, kPiece);
  EXPECT_TRUE(all_bytes_are(*pages, 0, pages->size(), 7));
}

TEST(PagesRelease, MemoryGoesBackToTheSystem) {
  Budget budget(64 * kMiB);
  auto pages = Pages::get(budget, 64 * kMiB);
  std::memset(pages->data(), 7, pages->size());
  const std::uint64_t before = resident_bytes();
  pages->release(0, pages->size());
  EXPECT_LT(resident_bytes() + 60 * kMiB, before);
}

}  // namespace
}  // namespace spillway
