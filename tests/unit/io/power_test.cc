// What is left of a disk in memory when the power goes.
#include <gtest/gtest.h>

#include <map>

#include "unit/io/disks.h"

namespace spillway {
namespace {

class Power : public testing::Test {
 protected:
  Power() {
    fill(old, 1);
    fill(fresh, 2);
  }
  Buffer sectors(std::size_t count) { return Buffer::need(budget, count * kSector, "a test"); }
  std::string fate_of(const std::vector<std::byte>& bytes) {
    if (bytes.empty()) return "empty";
    if (std::ranges::equal(bytes, old.all())) return "old";
    if (std::ranges::equal(bytes, fresh.all())) return "fresh";
    return "torn";
  }

  Budget budget{1 << 20};
  Buffer old = sectors(2);
  Buffer fresh = sectors(2);
};

TEST_F(Power, WhatWasSyncedStaysAndWhatWasNotMayBeAnything) {
  std::map<std::string, int> fates;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    MemoryDisk disk(MemoryDisk::Power::may_go);
    const auto file = disk.create("a");
    disk.sync_directory();
    file->write(0, old.all()).wait();
    file->sync();
    if (seed % 2 == 0) file->write(0, fresh.all()).wait();
    disk.lose_power(random);
    const std::string fate = fate_of(disk.bytes("a"));
    if (seed % 2 == 0) ++fates[fate];
    EXPECT_TRUE(seed % 2 == 0 || fate == "old");
  }
  EXPECT_EQ(fates.size(), 3U);
  for (const char* fate : {"old", "fresh", "torn"}) EXPECT_GT(fates[fate], 10) << fate;
}

TEST_F(Power, OfChangesToTheDirectoryABeginningIsLeft) {
  std::map<std::vector<std::string>, int> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    MemoryDisk disk(MemoryDisk::Power::may_go);
    disk.create("kept");
    disk.sync_directory();
    disk.create("tmp");
    disk.rename("tmp", "done");
    disk.remove("kept");
    disk.lose_power(random);
    ++seen[disk.list()];
  }
  using Names = std::vector<std::string>;
  EXPECT_EQ(seen.size(), 4U);
  for (const Names& names :
       {Names{"kept"}, Names{"kept", "tmp"}, Names{"done", "kept"}, Names{"done"}})
    EXPECT_GT(seen[names], 5);
}

TEST_F(Power, ATruncationThatWasNotSyncedMayNotHaveHappened) {
  std::map<std::string, int> fates;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::mt19937_64 random(seed);
    MemoryDisk disk(MemoryDisk::Power::may_go);
    const auto file = disk.create("a");
    disk.sync_directory();
    file->write(0, old.all()).wait();
    file->sync();
    file->truncate(0);
    disk.lose_power(random);
    ++fates[fate_of(disk.bytes("a"))];
  }
  EXPECT_EQ(fates.size(), 2U);
}

}  // namespace
}  // namespace spillway
