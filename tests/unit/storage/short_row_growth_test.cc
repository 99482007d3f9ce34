// A ShortRowTable that grows keeps every row with its tag, and stays inside its budget.
#include <gtest/gtest.h>

#include <atomic>

#include "cases.h"
#include "unit/storage/short_rows.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

template <class Width>
class ShortRowGrowth : public ShortTest<Width> {
 protected:
};
TYPED_TEST_SUITE(ShortRowGrowth, Widths);

TYPED_TEST(ShortRowGrowth, FromOneHomeAllTheWay) {
  constexpr std::size_t W = TestFixture::kWords;
  Budget budget(64 * kMiB);
  {
    ShortTwin<W> twin(budget, 1);
    std::size_t next_look = 1;
    for (std::uint64_t i = 0; i < scaled(60000); ++i) {
      twin.add_growing(this->crew, random_row<W>(this->random, W == 1 ? 40000 : 200),
                       static_cast<Tag>(i % 255 + 1));
      if (twin.rows.size() == next_look) {
        twin.expect_equal(this->crew);
        next_look *= 3;
      }
    }
    twin.expect_equal(this->crew);
    EXPECT_EQ(budget.used(), twin.table.bytes());
  }
  EXPECT_EQ(budget.used(), 0U);
}

TYPED_TEST(ShortRowGrowth, OfRowsThatAllHadTheSameHome) {
  constexpr std::size_t W = TestFixture::kWords;
  Budget budget(64 * kMiB);
  ShortTwin<W> twin(budget, 50);
  const auto rows = rows_with_home<W>(25, 50, 100);
  for (std::size_t i = 0; i < rows.size(); ++i)
    ASSERT_TRUE(twin.add(rows[i], static_cast<Tag>(i + 1)));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(twin.table.grow(this->crew));
    twin.expect_equal(this->crew);
  }
}

// Rows that are numbered, for tables too large for a std::map: row i can be made again, and i is in
// it.
template <std::size_t W>
ShortRow<W> numbered_row(std::uint64_t i) {
  ShortRow<W> row;
  row.fill(i << 20);
  row[0] ^= W == 1 ? 0 : 12345;
  return row;
}
Tag numbered_tag(std::uint64_t i) { return static_cast<Tag>(i % 255 + 1); }

// Several pieces of pages, so that each thread moves a share of its own and rows cross the borders
// between shares; almost full, so that runs of full buckets are long.
TYPED_TEST(ShortRowGrowth, OfALargeTableByManyThreads) {
  constexpr std::size_t W = TestFixture::kWords;
  constexpr std::size_t kHomes = 5 * Pages::kPiece / sizeof(Bucket<W>) + 17;
  constexpr std::uint64_t kRows = kHomes * kSlots * 95 / 100;
  for (const unsigned threads : {1U, 3U, 5U}) {
    if (threads != 3 && !take_all()) continue;
    Budget budget(256 * kMiB);
    Crew many(threads);
    ShortRowTable<W> table(budget, kHomes);
    for (std::uint64_t i = 0; i < kRows; ++i)
      ASSERT_EQ(insert<W>(table, numbered_row<W>(i), numbered_tag(i)), Insert::fresh);
    ASSERT_TRUE(table.grow(many));
    EXPECT_EQ(budget.used(), table.bytes());
    std::vector<std::atomic<unsigned>> seen(kRows);
    std::atomic<std::uint64_t> wrong{0};
    table.each(many, [&](unsigned, Tag tag, State row) {
      const std::uint64_t i = row.back() >> 20;
      if (i >= kRows || !equal(row, numbered_row<W>(i)) || tag != numbered_tag(i) || ++seen[i] != 1)
        ++wrong;
    });
    for (std::uint64_t i = 0; i < kRows; ++i)
      if (seen[i] != 1 || insert<W>(table, numbered_row<W>(i)) != Insert::known) ++wrong;
    EXPECT_EQ(wrong, 0U) << "rows lost, repeated, changed, or not found";
  }
}

// Smaller than a piece of pages for each thread, so that shares end inside of pieces.  The first
// share is crowded and the others are empty: their threads are at their ends while the first is
// still moving rows.
TYPED_TEST(ShortRowGrowth, OfATableWhoseSharesEndInsideOfPieces) {
  constexpr std::size_t W = TestFixture::kWords;
  constexpr std::size_t kPiece = Pages::kPiece / sizeof(Bucket<W>);
  for (const unsigned threads : {2U, 4U}) {
    const std::size_t homes = kPiece * 5 / 4;
    Budget budget(64 * kMiB);
    Crew many(threads);
    ShortTwin<W> twin(budget, homes);
    while (twin.rows.size() < homes / threads * 4) {
      const auto row = random_row<W>(this->random);
      const bool first_share = place_of(hash_of<W>(row), homes) < homes / threads;
      ASSERT_TRUE(!first_share || twin.add(row, 7));
    }
    ASSERT_TRUE(twin.table.grow(many));
    twin.expect_equal(many);
  }
}

// The first rows of one thread's share overflow from the last homes of the share before it.
TYPED_TEST(ShortRowGrowth, WithARunOfFullBucketsAcrossTheBorderOfTwoShares) {
  constexpr std::size_t W = TestFixture::kWords;
  // of two threads and two pieces
  constexpr std::size_t kBorder = Pages::kPiece / sizeof(Bucket<W>);
  constexpr std::size_t kHomes = 2 * kBorder;
  Budget budget(64 * kMiB);
  ShortTwin<W> twin(budget, kHomes);
  std::size_t around = 0;
  while (around < 300) {
    const auto row = random_row<W>(this->random);
    const std::size_t home = place_of(hash_of<W>(row), kHomes);
    if (home + 20 < kBorder || home > kBorder + 5) continue;
    ++around;
    ASSERT_TRUE(twin.add(row, static_cast<Tag>(around % 255 + 1)));
  }
  ASSERT_TRUE(twin.table.grow(this->crew));
  twin.expect_equal(this->crew);
}

TYPED_TEST(ShortRowGrowth, RefusedLeavesTableAndBudgetAsTheyWere) {
  constexpr std::size_t W = TestFixture::kWords;
  Budget budget(kMiB);
  {
    ShortTwin<W> twin(budget, 10);
    const auto fill = [&] {
      for (;;)
        if (!twin.add(random_row<W>(this->random), 5)) return;
    };
    fill();
    while (twin.table.grow(this->crew)) fill();
    const std::uint64_t used = budget.used();
    EXPECT_EQ(used, twin.table.bytes());
    EXPECT_GT(used, budget.limit() / 3);
    EXPECT_FALSE(twin.table.grow(this->crew)) << "asked again";
    EXPECT_EQ(budget.used(), used);
    EXPECT_EQ(twin.table.bytes(), used);
    EXPECT_LE(budget.peak(), budget.limit());
    twin.expect_equal(this->crew);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TYPED_TEST(ShortRowGrowth, GoesInSmallerStepsWhenTheBudgetDoesNotAllowToDouble) {
  constexpr std::size_t W = TestFixture::kWords;
  constexpr std::size_t kHomes = 4000 / W;
  constexpr std::size_t kBytes = kHomes * sizeof(Bucket<W>);
  Crew one(1);
  Budget budget(kBytes * 5 / 2);  // small old pages and the new ones are there at the same time
  ShortTwin<W> twin(budget, kHomes);
  for (std::size_t i = 0; i < kHomes; ++i) ASSERT_TRUE(twin.add(random_row<W>(this->random), 3));
  const std::uint64_t before = twin.table.comfortable_rows();
  ASSERT_TRUE(twin.table.grow(one));
  EXPECT_EQ(twin.table.comfortable_rows(), before + before / 4);
  twin.expect_equal(one);
}

// "There is never room for two tables": old pages go back while new ones are filled.
TYPED_TEST(ShortRowGrowth, OfALargeTableNeedsLittleMoreThanTheDifference) {
  constexpr std::size_t W = TestFixture::kWords;
  constexpr std::size_t kHomes = 16 * Pages::kPiece / sizeof(Bucket<W>);
  Crew one(1);
  Budget budget(256 * kMiB);
  ShortRowTable<W> table(budget, kHomes);
  const std::uint64_t old_bytes = table.bytes();
  ASSERT_TRUE(table.grow(one));
  EXPECT_LE(budget.peak(), table.bytes() + 4 * kMiB);
  EXPECT_GT(table.bytes(), old_bytes);
}

}  // namespace
}  // namespace spillway
