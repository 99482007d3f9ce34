#include "storage/runs/run_index.h"

#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "storage/runs/chunks/chunk_store.h"
#include "storage/runs/sorted_run.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

TEST(RunIndex, RowsAreCutBehindWhatTellsThemApart) {
  const Word a[] = {9, 7, 5, 1};
  const Word b[] = {0, 8, 5, 1};
  const Word c[] = {0, 0, 0, 2};
  EXPECT_EQ(words_apart(a, b, 4), 3U);
  EXPECT_EQ(words_apart(b, c, 4), 1U);
  const Word d[] = {1, 8, 5, 1};
  EXPECT_EQ(words_apart(b, d, 4), 4U);
}

// A run of rows of `words` words of noise, in so many blocks; how much of the budget it holds, all
// of it on disk.
std::uint64_t index_bytes(std::size_t words, std::size_t rows) {
  Budget budget(std::uint64_t{1} << 30);
  MemoryDisk disk;
  const BlockShape shape{words, 4, 4, true};
  ChunkStore store(budget, disk, 4000, shape.most_bytes(), budget.limit());
  BlockPacker<0> packer(shape);
  std::mt19937_64 random(1);
  const std::uint64_t before = budget.left();
  RunWriter<0> writer(store, packer);
  std::vector<Word> row(words);
  for (std::size_t i = 0; i < rows; ++i) {
    for (Word& word : row) word = random();
    row.back() = i;
    writer.add(row.data(), 1);
  }
  SortedRun<0> run = writer.finish();
  run.be_whole();
  store.buffers().free_spare();
  return before - budget.left() - RunWriter<0>::bytes(store.chunk_bytes(), shape);
}

TEST(RunIndex, TakesAsMuchForLongRowsAsForShortOnes) {
  const std::uint64_t of_long = index_bytes(400, 4000);  // a block and a chunk for four rows
  EXPECT_GT(of_long, 1000 * sizeof(Chunk));
  EXPECT_LT(of_long, 1000 * 100U);
}

TEST(RunIndex, IsDrawnFromTheBudget) {
  Budget budget(4096);
  MemoryDisk disk;
  Budget of_store(1 << 20);
  ChunkStore store(of_store, disk, 1000, 1000, 0);
  RunIndex index(budget, 1);
  const std::vector<std::uint8_t> bytes(10);
  ChunkWriter writer(store);
  const auto error = caught([&] {
    for (Word i = 0; i < 1000; ++i) index.add(writer.put(bytes), 1, {&i, 1});
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::memory);
  EXPECT_LE(budget.used(), budget.limit());
}

}  // namespace
}  // namespace spillway
