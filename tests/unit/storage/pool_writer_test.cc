// Which rows a writer gives away, and what becomes of the chunk it is writing.
#include <gtest/gtest.h>

#include "unit/storage/pool_rows.h"

namespace spillway {
namespace {

class PoolWriter : public testing::Test {
 protected:
  static constexpr std::uint64_t kChunkBytes = 4 * sizeof(Word);
  Budget budget{100 * kChunkBytes};
  RowPool pool{budget, 1, 4};
  RowPool::Writer writer{pool};

  std::vector<PoolRow> taken(bool close) { return rows_of(pool, writer.take(close)); }
};

TEST_F(PoolWriter, TakeGivesTheRowsInTheOrderTheyWereWritten) {
  for (Word i = 0; i < 10; ++i) append(writer, {i});
  const std::vector<PoolRow> rows = taken(true);
  ASSERT_EQ(rows.size(), 10U);
  for (Word i = 0; i < 10; ++i) EXPECT_EQ(rows[i], PoolRow{i});
}

TEST_F(PoolWriter, SegmentsDoNotCrossChunks) {
  for (Word i = 0; i < 10; ++i) append(writer, {i});
  for (const RowPool::Segment segment : writer.take(true))
    EXPECT_EQ(segment.first / 4, (segment.first + segment.count - 1) / 4);
}

TEST_F(PoolWriter, TakeGivesOnlyWhatIsNew) {
  append(writer, {1});
  EXPECT_EQ(taken(false), (std::vector<PoolRow>{{1}}));
  EXPECT_TRUE(taken(false).empty());
  append(writer, {2});
  append(writer, {3});
  EXPECT_EQ(taken(true), (std::vector<PoolRow>{{2}, {3}}));
  EXPECT_TRUE(taken(true).empty());
}

TEST_F(PoolWriter, WithoutCloseTheChunkGoesOn) {
  const std::uint64_t first = append(writer, {1});
  writer.take(false);
  EXPECT_EQ(append(writer, {2}), first + 1);
  EXPECT_EQ(budget.used(), kChunkBytes);
}

TEST_F(PoolWriter, WithCloseANewChunkBegins) {
  const std::uint64_t first = append(writer, {1});
  writer.take(true);
  EXPECT_NE(append(writer, {2}) / 4, first / 4);
  EXPECT_EQ(budget.used(), 2 * kChunkBytes);
}

TEST_F(PoolWriter, AChunkWithoutRowsStaysOpen) {
  for (int round = 0; round < 1000; ++round) {
    ASSERT_TRUE(writer.ready());
    ASSERT_TRUE(writer.take(true).empty());
  }
  EXPECT_EQ(budget.used(), kChunkBytes);
}

TEST_F(PoolWriter, WithCloseANewChunkBeginsAlsoAfterAllRowsWereTaken) {
  const std::uint64_t first = append(writer, {1});
  writer.take(false);
  EXPECT_TRUE(writer.take(true).empty());
  EXPECT_NE(append(writer, {2}) / 4, first / 4);
}

// ready() may open a chunk for a row that turns out to be known, after another chunk was filled.
TEST_F(PoolWriter, AChunkWithoutRowsIsNotLostBesideAFullOne) {
  for (int level = 0; level < 1000; ++level) {
    for (Word i = 0; i < 4; ++i) append(writer, {i});
    ASSERT_TRUE(writer.ready()) << "level " << level << ": chunks were lost";
    for (const RowPool::Segment segment : writer.take(true)) pool.recycle(segment);
  }
  EXPECT_LE(budget.used(), 2 * kChunkBytes);
}

TEST_F(PoolWriter, PeekAddsTheRowsWithoutTakingThem) {
  for (Word i = 0; i < 6; ++i) append(writer, {i});
  std::vector<RowPool::Segment> all = {{40, 1}};
  writer.peek(all);
  ASSERT_GE(all.size(), 2U);
  EXPECT_EQ(all[0].first, 40U) << "what was there stays";
  all.erase(all.begin());
  const std::vector<PoolRow> peeked = rows_of(pool, all);
  EXPECT_EQ(peeked.size(), 6U);
  EXPECT_EQ(taken(true), peeked);
  std::vector<RowPool::Segment> none;
  writer.peek(none);
  EXPECT_TRUE(none.empty());
}

TEST_F(PoolWriter, WhatWasTakenIsNotPeekedAt) {
  append(writer, {1});
  writer.take(false);
  append(writer, {2});
  std::vector<RowPool::Segment> all;
  writer.peek(all);
  EXPECT_EQ(rows_of(pool, all), (std::vector<PoolRow>{{2}}));
}

TEST_F(PoolWriter, ARefusalChangesNothing) {
  Budget small(kChunkBytes);
  RowPool one_chunk(small, 1, 4);
  RowPool::Writer first(one_chunk);
  RowPool::Writer second(one_chunk);
  for (Word i = 0; i < 4; ++i) append(first, {i});
  EXPECT_FALSE(first.ready());
  EXPECT_FALSE(second.ready());
  EXPECT_TRUE(second.take(true).empty());
  const std::vector<RowPool::Segment> segments = first.take(true);
  EXPECT_EQ(rows_of(one_chunk, segments).size(), 4U);
  for (const RowPool::Segment segment : segments) one_chunk.recycle(segment);
  EXPECT_TRUE(second.ready()) << "what one gives back another may have";
}

}  // namespace
}  // namespace spillway
