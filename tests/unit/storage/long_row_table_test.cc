#include "storage/table/long_row_table.h"

#include <gtest/gtest.h>

#include <set>
#include <unordered_map>

#include "unit/caught.h"
#include "unit/storage/long_rows.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr Word kOnes = ~Word{0};

TEST(LongRowTable, ARowIsFreshOnceAndKnownThen) {
  LongTwin twin(kMiB, 3, 1);
  EXPECT_EQ(twin.insert({1, 2, 3}), Insert::fresh);
  EXPECT_EQ(twin.insert({1, 2, 3}), Insert::known);
  EXPECT_EQ(twin.insert({1, 2, 4}), Insert::fresh);
}

TEST(LongRowTable, NoValueOfARowIsReserved) {
  LongTwin twin(kMiB, 3, 1);
  for (const Word word : {Word{0}, kOnes, kLock, Word{1}}) {
    EXPECT_EQ(twin.insert({word, word, word}), Insert::fresh);
    EXPECT_EQ(twin.insert({word, word, word}), Insert::known);
  }
}

TEST(LongRowTable, FromOneHomeAllTheWayLikeASet) {
  for (const std::size_t words : {1U, 2U, 3U, 9U}) {
    LongTwin twin(64 * kMiB, words, 1);
    std::mt19937_64 random(words);
    std::set<LongRow> rows;
    for (int i = 0; i < 30000; ++i) {
      const LongRow row = random_long_row(random, words,
                                          words == 1   ? 20000
                                          : words == 2 ? 150
                                                       : 30);
      ASSERT_EQ(twin.insert_growing(row), rows.insert(row).second ? Insert::fresh : Insert::known);
    }
    for (const LongRow& row : rows) ASSERT_EQ(twin.insert(row), Insert::known);
    EXPECT_EQ(twin.stored_rows(), rows) << "the pool has each of them once";
  }
}

TEST(LongRowTable, RowsOf64KiB) {
  LongTwin twin(64 * kMiB, 8192, 1);
  LongRow row(8192, 7);
  for (const std::size_t place : {std::size_t{0}, std::size_t{4095}, std::size_t{8191}}) {
    ++row[place];
    EXPECT_EQ(twin.insert(row), Insert::fresh);
    EXPECT_EQ(twin.insert(row), Insert::known);
  }
}

TEST(LongRowTable, RowsThatDifferInOneWordOnlyAreDifferent) {
  LongTwin twin(kMiB, 5, 100);
  for (std::size_t place = 0; place < 5; ++place) {
    for (Word value = 1; value < 50; ++value) {
      LongRow row(5, 0);
      row[place] = value;
      ASSERT_EQ(twin.insert(row), Insert::fresh);
      ASSERT_EQ(twin.insert(row), Insert::known);
    }
  }
}

// The index keeps 24 bits of the hash.  These rows share them, and the bucket.
TEST(LongRowTable, RowsWhoseHashesLookAlikeAreComparedThemselves) {
  LongTwin twin(kMiB, 3, 1);
  std::mt19937_64 random(3);
  std::unordered_map<std::uint64_t, LongRow> by_mark;
  int pairs = 0;
  while (pairs < 5) {
    const LongRow row = random_long_row(random, 3);
    const auto [other, fresh] = by_mark.try_emplace(place_hash(row.data(), 3) & 0xffffff, row);
    if (fresh) continue;
    ++pairs;
    ASSERT_EQ(twin.insert_growing(row), Insert::fresh);
    ASSERT_EQ(twin.insert_growing(other->second), Insert::fresh);
    ASSERT_EQ(twin.insert(row), Insert::known);
    ASSERT_EQ(twin.insert(other->second), Insert::known);
  }
}

TEST(LongRowTable, ExactlyFull) {
  LongTwin twin(kMiB, 3, 1);
  std::mt19937_64 random(4);
  LongRow one_more = random_long_row(random, 3);
  std::set<LongRow> rows;
  for (; twin.insert(one_more) == Insert::fresh; one_more = random_long_row(random, 3))
    rows.insert(one_more);
  EXPECT_EQ(rows.size() % kSlots, 0U);
  EXPECT_GE(rows.size(), twin.table.comfortable_rows());
  EXPECT_EQ(twin.insert(one_more), Insert::full) << "asked again";
  for (const LongRow& row : rows) ASSERT_EQ(twin.insert(row), Insert::known);
  EXPECT_EQ(twin.stored_rows(), rows) << "a row that is refused is not stored";
  EXPECT_EQ(twin.insert_growing(one_more), Insert::fresh);
}

TEST(LongRowTable, HoldsTheComfortableNumberOfRows) {
  std::mt19937_64 random(5);
  for (const std::size_t homes : {1U, 16U, 100U, 1000U}) {
    LongTwin twin(64 * kMiB, 3, homes);
    for (std::uint64_t i = 0; i < twin.table.comfortable_rows(); ++i)
      ASSERT_EQ(twin.insert(random_long_row(random, 3)), Insert::fresh) << i << " of " << homes;
  }
}

TEST(LongRowTable, GrowthRefusedLeavesTableAndBudgetAsTheyWere) {
  LongTwin twin(64 << 10, 3, 10);
  std::mt19937_64 random(6);
  std::set<LongRow> rows;
  for (;;) {
    const LongRow row = random_long_row(random, 3);
    const Insert done = twin.insert_growing(row);
    if (done == Insert::full) break;
    rows.insert(row);
  }
  const std::uint64_t used = twin.budget.used();
  EXPECT_EQ(used, twin.table.bytes());
  EXPECT_GT(used, twin.budget.limit() / 2);
  EXPECT_FALSE(twin.grow()) << "asked again";
  EXPECT_EQ(twin.budget.used(), used);
  EXPECT_EQ(twin.table.bytes(), used);
  for (const LongRow& row : rows) ASSERT_EQ(twin.insert(row), Insert::known);
  EXPECT_EQ(twin.stored_rows(), rows);
}

TEST(LongRowTable, GrowthByManyThreadsOfManySegments) {
  LongTwin twin(64 * kMiB, 3, 1000, 5);
  std::mt19937_64 random(7);
  std::set<LongRow> rows;
  for (int i = 0; i < 5000; ++i) {
    const LongRow row = random_long_row(random, 3);
    ASSERT_EQ(twin.insert(row), Insert::fresh);
    rows.insert(row);
    if (i % 100 == 0) twin.take_segments();
  }
  ASSERT_TRUE(twin.grow());
  ASSERT_TRUE(twin.grow());
  for (const LongRow& row : rows) ASSERT_EQ(twin.insert(row), Insert::known);
}

TEST(LongRowTable, GivesTheBudgetBack) {
  Budget budget(kMiB);
  const RowPool pool(budget, 3, 100);
  {
    const LongRowTable table(budget, pool, 3, 100);
    EXPECT_EQ(budget.used(), table.bytes());
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(LongRowTable, ABudgetThatIsTooSmallToBeginWithIsAnError) {
  Budget small(4096);
  const RowPool pool(small, 3, 100);
  const auto error = caught([&] { LongRowTable(small, pool, 3, 1000); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_EQ(small.used(), 0U);
}

}  // namespace
}  // namespace spillway
