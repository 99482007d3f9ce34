#include "storage/runs/chunks/chunk_buffers.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "storage/levels/level_archive.h"
#include "storage/runs/packing/run_block.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr std::size_t kBytes = 2 * kSector;

TEST(ChunkBuffers, WhatCameBackIsLentAgainAndLeftToOthers) {
  Budget budget(4 * kBytes);
  ChunkBuffers buffers(budget, kBytes);
  const std::byte* first = nullptr;
  {
    const ChunkBuffers::Lent one = buffers.get();
    const ChunkBuffers::Lent two = buffers.get();
    ASSERT_TRUE(one && two);
    first = two.all().data();
    EXPECT_NE(one.all().data(), first);
    EXPECT_EQ(buffers.left(), 2 * kBytes);
  }
  EXPECT_EQ(budget.left(), 2 * kBytes);  // kept
  EXPECT_EQ(buffers.left(), 4 * kBytes);
  const ChunkBuffers::Lent again = buffers.get();
  EXPECT_EQ(budget.left(), 2 * kBytes);
  buffers.free_spare();
  EXPECT_EQ(budget.left(), 3 * kBytes);
  EXPECT_EQ(buffers.left(), 3 * kBytes);
}

TEST(ChunkBuffers, NothingIsLentBeyondTheBudget) {
  Budget budget(kBytes);
  ChunkBuffers buffers(budget, kBytes);
  const ChunkBuffers::Lent one = buffers.need("a test");
  EXPECT_FALSE(buffers.get());
  EXPECT_THROW(buffers.need("a test"), Error);
}

TEST(ChunkBuffers, WhatIsNotLentIsThereForOthers) {
  Budget budget(2 * kBytes);
  ChunkBuffers buffers(budget, kBytes);
  {
    const ChunkBuffers::Lent one = buffers.get();
    const ChunkBuffers::Lent two = buffers.get();
    EXPECT_FALSE(budget.draw(1));
  }
  EXPECT_EQ(budget.left(), 0U);
  EXPECT_TRUE(budget.draw(2 * kBytes));
  budget.give_back(2 * kBytes);
}

TEST(ChunkBuffers, ABufferMovesWithItsOwner) {
  Budget budget(4 * kBytes);
  ChunkBuffers buffers(budget, kBytes);
  ChunkBuffers::Lent owner = buffers.get();
  const std::byte* const data = owner.all().data();
  ChunkBuffers::Lent next = std::move(owner);
  EXPECT_EQ(next.all().data(), data);
  next = ChunkBuffers::Lent();  // gives it back
  EXPECT_EQ(buffers.left(), 4 * kBytes);
}

TEST(LevelArchive, LeavesMemoryToRunsWhereItIsShort) {
  MemoryDisk disk;
  Budget budget(8 << 20);
  ChunkStore store(budget, disk, 10000, 10000, 0);
  LevelArchive archive(store);
  ASSERT_TRUE(budget.draw(5 << 20));
  archive.begin_level();
  const std::vector<Word> rows(1000, 42);
  std::vector<std::uint8_t> block(kPlainHeadBytes + rows.size() * sizeof(Word));
  put_plain(block.data(), {rows.data(), rows.size(), 1});
  std::uint64_t least = budget.left();
  for (int i = 0; i < 200; ++i) {
    archive.keep(block);
    least = std::min<std::uint64_t>(least, budget.left());
  }
  EXPECT_GT(least, (3 << 20) - (512 << 10));
  EXPECT_FALSE(disk.list().empty());
  std::uint64_t blocks = 0;
  archive.each(0, [&](Bytes kept) {
    blocks += std::equal(kept.begin(), kept.end(), block.begin(), block.end()) ? 1 : 0;
  });
  EXPECT_EQ(blocks, 200U);
  budget.give_back(5 << 20);
}

}  // namespace
}  // namespace spillway
