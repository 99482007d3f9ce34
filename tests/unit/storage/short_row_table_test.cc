// What a ShortRowTable says to insertions; growing is in short_row_growth_test.cc.
#include "storage/table/short_row_table.h"

#include <gtest/gtest.h>

#include "unit/caught.h"
#include "unit/storage/short_rows.h"

namespace spillway {
namespace {

constexpr Word kOnes = ~Word{0};

template <class Width>
class ShortRowTableOf : public ShortTest<Width> {
 protected:
  Budget budget{std::uint64_t{64} << 20};
};
TYPED_TEST_SUITE(ShortRowTableOf, Widths);

TYPED_TEST(ShortRowTableOf, ARowIsFreshOnceAndKnownThen) {
  ShortRowTable<TestFixture::kWords> table(this->budget, 1);
  ShortRow<TestFixture::kWords> row{};
  row.fill(42);
  EXPECT_EQ(insert(table, row, 1), Insert::fresh);
  EXPECT_EQ(insert(table, row, 1), Insert::known);
  EXPECT_EQ(insert(table, row, 2), Insert::known) << "the tag does not tell states apart";
}

TYPED_TEST(ShortRowTableOf, NoValueOfARowIsReserved) {
  constexpr std::size_t W = TestFixture::kWords;
  for (const Word word : {Word{0}, kOnes, kLock, Word{1}}) {
    ShortTwin<W> twin(this->budget, 1);
    ShortRow<W> row{};
    row.fill(word);
    ASSERT_TRUE(twin.add(row)) << "into an empty table";
    for (int i = 0; i < 12; ++i) ASSERT_TRUE(twin.add(random_row<W>(this->random)));
    twin.expect_equal(this->crew);
  }
}

TYPED_TEST(ShortRowTableOf, ZeroIsFreshAlsoWhereEmptySlotsHoldZeros) {
  constexpr std::size_t W = TestFixture::kWords;
  for (int others = 0; others <= 14; ++others) {
    ShortTwin<W> twin(this->budget, 1);
    for (int i = 0; i < others; ++i) ASSERT_TRUE(twin.add(random_row<W>(this->random)));
    ASSERT_TRUE(twin.add(ShortRow<W>{})) << others;
    twin.expect_equal(this->crew);
  }
}

TYPED_TEST(ShortRowTableOf, AgreesWithASet) {
  constexpr std::size_t W = TestFixture::kWords;
  ShortTwin<W> twin(this->budget, 1000);
  for (int i = 0; i < 20000; ++i) twin.add(random_row<W>(this->random, W == 1 ? 5000 : 70));
  EXPECT_GT(twin.rows.size(), 4500U);
  twin.expect_equal(this->crew);
}

TEST(ShortRowTableOfTwoWords, RowsThatAgreeInOneWordAreDifferent) {
  Budget budget(1 << 20);
  Crew crew(1);
  ShortTwin<2> twin(budget, 50);
  for (Word i = 0; i < 100; ++i) {
    ASSERT_TRUE(twin.add({7, i}));
    ASSERT_TRUE(twin.add({i, 7}));
  }
  EXPECT_EQ(twin.rows.size(), 199U);
  twin.expect_equal(crew);
}

TYPED_TEST(ShortRowTableOf, RowsWithTheSameHomeOverflowIntoTheNextBuckets) {
  constexpr std::size_t W = TestFixture::kWords;
  ShortTwin<W> twin(this->budget, 100);
  for (const auto& row : rows_with_home<W>(40, 100, 300)) ASSERT_TRUE(twin.add(row));
  for (const auto& row : rows_with_home<W>(60, 100, 20))
    ASSERT_TRUE(twin.add(row)) << "whose home is taken by others";
  twin.expect_equal(this->crew);
}

TYPED_TEST(ShortRowTableOf, RowsWithTheLastHomeMayBeTooMany) {
  constexpr std::size_t W = TestFixture::kWords;
  ShortTwin<W> twin(this->budget, 100);
  std::size_t refused = 0;
  for (const auto& row : rows_with_home<W>(99, 100, 60)) refused += twin.add(row) ? 0U : 1U;
  EXPECT_GT(refused, 0U);
  EXPECT_GE(twin.rows.size(), 3 * kSlots) << "there is some room behind the last home";
  for (const auto& row : rows_with_home<W>(30, 100, 60))
    ASSERT_TRUE(twin.add(row)) << "elsewhere there is room";
  twin.expect_equal(this->crew);
  for (const auto& row : rows_with_home<W>(99, 100, 60)) twin.add_growing(this->crew, row);
  EXPECT_EQ(twin.rows.size(), 120U);
  twin.expect_equal(this->crew);
}

TYPED_TEST(ShortRowTableOf, ExactlyFull) {
  constexpr std::size_t W = TestFixture::kWords;
  ShortTwin<W> twin(this->budget, 1);
  ShortRow<W> one_more = random_row<W>(this->random);
  while (twin.add(one_more)) one_more = random_row<W>(this->random);
  EXPECT_EQ(twin.rows.size() % kSlots, 0U) << "the last slot is used as well";
  EXPECT_GE(twin.rows.size(), twin.table.comfortable_rows());
  twin.expect_equal(this->crew);
  EXPECT_EQ(insert<W>(twin.table, one_more), Insert::full) << "asked again";
  twin.add_growing(this->crew, one_more);
  twin.expect_equal(this->crew);
}

TYPED_TEST(ShortRowTableOf, HoldsTheComfortableNumberOfRows) {
  constexpr std::size_t W = TestFixture::kWords;
  for (const std::size_t homes : {1U, 16U, 100U, 1000U, 16384U}) {
    ShortRowTable<W> table(this->budget, homes);
    for (std::uint64_t i = 0; i < table.comfortable_rows(); ++i)
      ASSERT_EQ(insert<W>(table, random_row<W>(this->random)), Insert::fresh)
          << i << " of " << homes;
  }
}

TYPED_TEST(ShortRowTableOf, RetagReplacesEveryTag) {
  constexpr std::size_t W = TestFixture::kWords;
  ShortTwin<W> twin(this->budget, 200);
  for (unsigned i = 0; i < 1200; ++i)
    ASSERT_TRUE(twin.add(random_row<W>(this->random), static_cast<Tag>(i % 255 + 1)));
  std::array<Tag, 256> map{};
  for (unsigned t = 1; t < 256; ++t) map[t] = static_cast<Tag>(256 - t);
  Crew many(5);
  twin.table.retag(many, map);
  for (auto& [row, tag] : twin.rows) tag = map[tag];
  twin.expect_equal(many);
}

TYPED_TEST(ShortRowTableOf, EachOfAnEmptyTableVisitsNothing) {
  const ShortRowTable<TestFixture::kWords> table(this->budget, 100);
  table.each(this->crew, [](unsigned, Tag, State) { ADD_FAILURE(); });
}

TYPED_TEST(ShortRowTableOf, DrawsFromTheBudgetWhileItLives) {
  {
    const ShortRowTable<TestFixture::kWords> table(this->budget, 1000);
    EXPECT_EQ(this->budget.used(), table.bytes());
  }
  EXPECT_EQ(this->budget.used(), 0U);
}

TYPED_TEST(ShortRowTableOf, ABudgetThatIsTooSmallToBeginWithIsAnError) {
  Budget small(4096);
  const auto error = caught([&] { ShortRowTable<TestFixture::kWords>(small, 1000); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_STREQ(error->what(), "--memory: 4.0 KiB is too little to start");
  EXPECT_EQ(small.used(), 0U);
}

}  // namespace
}  // namespace spillway
