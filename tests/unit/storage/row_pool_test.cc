#include "storage/table/row_pool.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/process/crew.h"
#include "base/process/machine.h"
#include "unit/caught.h"
#include "unit/storage/pool_rows.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(RowPool, ANumberIsARowForEver) {
  for (const std::size_t chunk_rows : {1U, 7U, 1000U}) {
    Budget budget(kMiB);
    RowPool pool(budget, 3, chunk_rows);
    RowPool::Writer writer(pool);
    std::vector<std::uint64_t> numbers;
    std::vector<const Word*> places;
    for (Word i = 0; i < 2000; ++i) {
      numbers.push_back(append(writer, {i, ~i, 7}));
      places.push_back(pool.row(numbers.back()).data());
    }
    for (Word i = 0; i < 2000; ++i) {
      const State row = pool.row(numbers[i]);
      ASSERT_EQ(PoolRow(row.begin(), row.end()), (PoolRow{i, ~i, 7}));
      ASSERT_EQ(row.data(), places[i]) << "rows never move";
    }
  }
}

TEST(RowPool, PaysChunkByChunk) {
  Budget budget(kMiB);
  RowPool pool(budget, 2, 10);
  EXPECT_EQ(budget.used(), 0U);
  RowPool::Writer writer(pool);
  for (Word i = 0; i < 25; ++i) {
    append(writer, {i, i});
    EXPECT_EQ(budget.used(), (i / 10 + 1) * 160);
  }
}

TEST(RowPool, GivesTheBudgetBack) {
  Budget budget(kMiB);
  {
    RowPool pool(budget, 1, 1000);
    RowPool::Writer writer(pool);
    for (Word i = 0; i < 30000; ++i) append(writer, {i});
    for (const RowPool::Segment segment : writer.take(true)) pool.recycle(segment);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(RowPool, RefusalByTheBudget) {
  Budget budget(3 * 80 + 79);
  RowPool pool(budget, 1, 10);
  RowPool::Writer writer(pool);
  for (Word i = 0; i < 30; ++i) append(writer, {i});
  EXPECT_FALSE(writer.ready());
  EXPECT_FALSE(writer.ready()) << "asked again";
  EXPECT_EQ(budget.used(), 240U);
  EXPECT_EQ(rows_of(pool, writer.take(true)).size(), 30U) << "what was written is there";
}

TEST(RowPool, RefusalByTheSystem) {
  Budget budget(std::uint64_t{1} << 62);
  const auto error = caught([&] { RowPool(budget, 1, 1000); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::system);
  EXPECT_NE(std::string(error->what()).find("4.0 EiB of address space"), std::string::npos)
      << error->what();
}

TEST(RowPool, ShortAppendIsAppend) {
  Budget budget(kMiB);
  RowPool pool(budget, 2, 3);
  RowPool::Writer writer(pool);
  const Word row[] = {5, 6};
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(writer.ready());
    writer.append_short<2>(row);
  }
  EXPECT_EQ(rows_of(pool, writer.take(true)), (std::vector<PoolRow>(4, {5, 6})));
}

TEST(RowPool, WritersOfManyThreadsDoNotMeet) {
  Budget budget(16 * kMiB);
  RowPool pool(budget, 2, 16);
  Crew crew(8);
  std::vector<std::vector<RowPool::Segment>> segments(8);
  crew.each([&](unsigned worker) {
    RowPool::Writer writer(pool);
    for (Word i = 0; i < 5000; ++i) append(writer, {worker, i});
    segments[worker] = writer.take(true);
  });
  for (unsigned worker = 0; worker < 8; ++worker) {
    const std::vector<PoolRow> rows = rows_of(pool, segments[worker]);
    ASSERT_EQ(rows.size(), 5000U);
    for (Word i = 0; i < 5000; ++i) ASSERT_EQ(rows[i], (PoolRow{worker, i}));
  }
}

TEST(RowPool, ManyThreadsRecycleWhatOthersUse) {
  Budget budget(8 * 20 * 8192);
  RowPool pool(budget, 1, 1024);
  Crew crew(8);
  for (int round = 0; round < 5; ++round) {
    crew.each([&](unsigned worker) {
      RowPool::Writer writer(pool);
      for (int level = 0; level < 20; ++level) {
        for (Word i = 0; i < 3000; ++i) append(writer, {i + worker});
        const std::vector<RowPool::Segment> segments = writer.take(true);
        const std::vector<PoolRow> rows = rows_of(pool, segments);
        for (Word i = 0; i < 3000; ++i) ASSERT_EQ(rows.at(i)[0], i + worker);
        for (const RowPool::Segment segment : segments) pool.recycle(segment);
      }
    });
  }
  EXPECT_LE(budget.peak(), budget.limit());
}

TEST(RowPoolRecycle, ChunksAreUsedAgain) {
  for (const std::size_t chunk_rows : {1U, 10U, 512U, 4096U}) {
    Budget budget(8 * chunk_rows);  // of one chunk
    RowPool pool(budget, 1, chunk_rows);
    RowPool::Writer writer(pool);
    for (Word round = 0; round < 100; ++round) {
      ASSERT_TRUE(writer.ready()) << round;
      append(writer, {round});
      const std::vector<RowPool::Segment> segments = writer.take(true);
      ASSERT_EQ(rows_of(pool, segments), (std::vector<PoolRow>{{round}}));
      for (const RowPool::Segment segment : segments) pool.recycle(segment);
    }
  }
}

TEST(RowPoolRecycle, LargeLevelsGoBackToBudgetAndSystem) {
  Budget budget(64 * kMiB);
  RowPool pool(budget, 1, 16384);
  RowPool::Writer writer(pool);
  const auto write_level = [&] {
    for (Word i = 0; i < 4 * kMiB; ++i) {
      ASSERT_TRUE(writer.ready());
      writer.append(&i);
    }
  };
  write_level();
  EXPECT_EQ(budget.used(), 32 * kMiB);
  const std::uint64_t before = resident_bytes();
  for (const RowPool::Segment segment : writer.take(true)) pool.recycle(segment);
  EXPECT_LE(budget.used(), 4 * kMiB) << "some chunks are kept at hand";
  EXPECT_LT(resident_bytes() + 25 * kMiB, before);
  write_level();
  EXPECT_EQ(budget.used(), 32 * kMiB);
  Word expected = 0;
  for (const RowPool::Segment segment : writer.take(true))
    for (const State row : pool.rows(segment)) ASSERT_EQ(row[0], expected++);
}

// Chunks that are no multiple of a page: their memory cannot be given back without that of their
// neighbours.
TEST(RowPoolRecycle, LeavesTheRowsOfNeighbouringChunksAlone) {
  for (const std::size_t chunk_rows : {600U, 625U, 1000U}) {
    Budget budget(kMiB);
    RowPool pool(budget, 1, chunk_rows);
    RowPool::Writer writer(pool);
    for (Word i = 0; i < 80 * chunk_rows; ++i) append(writer, {i + 1});
    const std::vector<RowPool::Segment> segments = writer.take(true);
    ASSERT_EQ(segments.size(), 80U);
    for (std::size_t i = 0; i < segments.size(); i += 2) pool.recycle(segments[i]);
    std::size_t wrong = 0;
    for (std::size_t i = 1; i < segments.size(); i += 2)
      for (std::uint64_t n = 0; n < chunk_rows; ++n)
        wrong += pool.row(segments[i].first + n)[0] != i * chunk_rows + n + 1 ? 1U : 0U;
    EXPECT_EQ(wrong, 0U) << "rows lost with chunks of " << chunk_rows << " rows";
  }
}

}  // namespace
}  // namespace spillway
