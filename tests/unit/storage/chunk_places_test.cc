#include "storage/runs/chunks/chunk_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/error.h"
#include "storage/runs/chunks/chunk_store.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr BlockFormat kFormat{.run_id = 7, .block_bytes = kSector};

std::uint64_t bytes_on(MemoryDisk& disk) {
  std::uint64_t bytes = 0;
  for (const std::string& name : disk.list()) bytes += disk.bytes(name).size();
  return bytes;
}

TEST(ChunkPlaces, NoPlaceHasTwoOwnersAndTheLowestIsTakenFirst) {
  MemoryDisk disk;
  ChunkPlaces places(disk, kFormat);
  std::mt19937_64 random(1);
  std::set<std::uint64_t> taken;
  std::vector<ChunkPlaces::Range> ranges;
  for (int i = 0; i < 20000; ++i) {
    if (!ranges.empty() && random() % 100 < (i < 10000 ? 45 : 55)) {
      std::swap(ranges[random() % ranges.size()], ranges.back());
      for (std::uint64_t j = 0; j < ranges.back().count; ++j) taken.erase(ranges.back().first + j);
      places.give_back(ranges.back());
      ranges.pop_back();
      continue;
    }
    std::uint64_t lowest = 0;
    while (taken.contains(lowest)) ++lowest;
    const std::uint64_t most = 1 + random() % 20;
    const ChunkPlaces::Range range = places.take(most);
    ASSERT_EQ(range.first, lowest);
    ASSERT_GE(range.count, 1U);
    ASSERT_LE(range.count, most);
    for (std::uint64_t j = 0; j < range.count; ++j)
      ASSERT_TRUE(taken.insert(range.first + j).second);
    ranges.push_back(range);
  }
}

TEST(ChunkPlaces, WhatWasThereBeforeIsNotTakenForWhatWasWritten) {
  MemoryDisk disk;
  Budget budget(1 << 20);
  ChunkPlaces places(disk, kFormat);
  Buffer block = Buffer::need(budget, kSector, "a block");
  const ChunkPlaces::Written before{places.take(1).first, places.new_id()};
  places.write(before, block.all(), 100).wait();
  places.give_back({before.place, 1});
  const ChunkPlaces::Written after{places.take(1).first, places.new_id()};
  ASSERT_EQ(after.place, before.place);
  places.ask(after, block.all()).wait();
  EXPECT_THROW(places.look(after, block.all()), Error);  // it was not written
  EXPECT_EQ(places.look(before, block.all()).payload.size(), 100U);
}

TEST(ChunkPlaces, FilesGrowNoLongerThanWhatThereWasAtATime) {
  MemoryDisk disk;
  Budget budget(1 << 20);
  ChunkStore store(budget, disk, 1000, 1000, budget.limit());
  const std::vector<std::uint8_t> bytes(1000, 42);
  const auto write = [&](std::size_t count) {
    std::vector<Chunk> chunks;
    ChunkWriter writer(store);
    for (std::size_t i = 0; i < count; ++i) chunks.push_back(writer.put(bytes));
    writer.finish();
    return chunks;
  };
  const std::vector<Chunk> kept = write(5);
  write(300);
  const std::uint64_t most = bytes_on(disk);
  EXPECT_GE(most, 305 * store.buffers().bytes());
  for (std::size_t i = 0; i < 100; ++i) write(1 + i % 40);
  write(300);
  EXPECT_EQ(bytes_on(disk), most);
  EXPECT_GT(disk.list().size(), 1U);  // several directories would be used
}

TEST(ChunkPlaces, FilesGoWithTheStore) {
  MemoryDisk disk;
  {
    ChunkPlaces places(disk, kFormat);
    places.give_back(places.take(1));
    EXPECT_FALSE(disk.list().empty());
  }
  EXPECT_TRUE(disk.list().empty());
}

}  // namespace
}  // namespace spillway
