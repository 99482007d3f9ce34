// Each kind of trouble, one at a time: what the user of the disk sees of it.
#include "support/faulty_disk.h"

#include <gtest/gtest.h>

#include "unit/caught.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

constexpr std::size_t kSectors = 8;

class Faulty : public testing::Test {
 protected:
  Faulty() { fill(out, 1); }

  // Operation 0 is the creation, 1 the first attempt at the write.
  std::optional<Error> write_with(FaultPlan plan) {
    disk.set(plan);
    return caught([&] { disk.create("a")->write(0, out.all()).wait(); });
  }
  bool reads_right() {
    disk.open("a")->read(0, in.all()).wait();
    return same(in, out);
  }

  Budget budget{1 << 20};
  MemoryDisk memory;
  FaultyDisk disk{memory};
  Buffer out = Buffer::need(budget, kSectors* kSector, "a test");
  Buffer in = Buffer::need(budget, kSectors* kSector, "a test");
};

bool says(const std::optional<Error>& error, std::string_view text) {
  return error && std::string_view(error->what()).find(text) != std::string_view::npos;
}

TEST_F(Faulty, WithoutAPlanNothingHappens) {
  EXPECT_FALSE(write_with({}));
  EXPECT_TRUE(reads_right());
  EXPECT_FALSE(disk.struck());
  EXPECT_EQ(disk.operations(), 4U);
}

TEST_F(Faulty, AnErrorNamesFileAndOffset) {
  EXPECT_TRUE(says(write_with({Trouble::io_error, 1}),
                   "a: cannot write 32,768 bytes at offset 0: Input/output error (EIO)"));
  EXPECT_TRUE(disk.struck());
}

TEST_F(Faulty, ErrorsOfOtherOperations) {
  EXPECT_TRUE(says(write_with({Trouble::io_error, 0}), "a: cannot create: Input/output error"));
  EXPECT_TRUE(says(write_with({Trouble::no_space, 1}), ""));
}

TEST_F(Faulty, AFullDiskStaysFullAndTellsTheRemedy) {
  EXPECT_TRUE(
      says(write_with({Trouble::no_space, 1}), "No space left on device (ENOSPC); free space"));
  EXPECT_EQ(memory.bytes("a").size(), kSectors / 2 * kSector);  // a short write first
  EXPECT_EQ(disk.counters().retries, 1U);
  EXPECT_TRUE(says(caught([&] { disk.create("b"); }), "b: cannot create: No space"));
}

TEST_F(Faulty, InterruptionsAreNotSeen) {
  for (const std::uint64_t at : {0, 1, 2}) {
    MemoryDisk fresh;
    FaultyDisk faulty(fresh);
    faulty.set({Trouble::interrupted, at});
    const auto file = faulty.create("a");
    file->write(0, out.all()).wait();
    file->sync();
    EXPECT_TRUE(faulty.struck()) << at;
    EXPECT_TRUE(std::ranges::equal(fresh.bytes("a"), out.all()));
  }
}

TEST_F(Faulty, InterruptionsForEverAreAnErrorNotAHang) {
  EXPECT_TRUE(says(write_with({Trouble::interrupted, 1, true}), "Interrupted system call (EINTR)"));
}

TEST_F(Faulty, PartsAreCompletedWhereverTheyEnd) {
  for (const std::uint64_t length : {0, 511, 4095, 4096, 5000, 20000, 32766}) {
    MemoryDisk fresh;
    FaultyDisk faulty(fresh);
    faulty.set({Trouble::short_transfer, 1, false, length});
    const auto file = faulty.create("a");
    file->write(0, out.all()).wait();
    EXPECT_TRUE(faulty.struck());
    EXPECT_TRUE(std::ranges::equal(fresh.bytes("a"), out.all())) << length;
    faulty.set({Trouble::short_transfer, faulty.operations(), false, length});
    file->read(0, in.all()).wait();
    EXPECT_TRUE(same(in, out)) << length;
    EXPECT_EQ(faulty.counters().retries, 2U);
  }
}

TEST_F(Faulty, NothingButUselessPartsIsAnErrorNotAHang) {
  EXPECT_TRUE(says(write_with({Trouble::short_transfer, 1, true, 0}), "cannot write"));
}

TEST_F(Faulty, SilentTroubleChangesWhatIsStored) {
  for (const Trouble trouble : {Trouble::flipped_bit, Trouble::torn_write}) {
    MemoryDisk fresh;
    FaultyDisk faulty(fresh);
    faulty.set({trouble, 2, false, 12345});
    const auto file = faulty.create("a");
    file->write(0, in.all()).wait();
    file->write(0, out.all()).wait();
    EXPECT_TRUE(faulty.struck());
    EXPECT_EQ(fresh.bytes("a").size(), out.size());
    EXPECT_FALSE(std::ranges::equal(fresh.bytes("a"), out.all()));
    EXPECT_FALSE(std::ranges::equal(fresh.bytes("a"), in.all()));
  }
  const auto size_after = [&](Trouble trouble) {
    MemoryDisk fresh;
    FaultyDisk faulty(fresh);
    faulty.set({trouble, 1});
    faulty.create("a")->write(0, out.all()).wait();
    return fresh.bytes("a").size();
  };
  EXPECT_EQ(size_after(Trouble::dropped_write), 0U);
  EXPECT_EQ(size_after(Trouble::misplaced_write), 2 * out.size());
}

TEST_F(Faulty, AFlippedBitOfAReadIsOneBit) {
  write_with({});
  disk.set({Trouble::flipped_bit, disk.operations() + 1, false, 9});
  EXPECT_FALSE(reads_right());
  in.data()[1] ^= std::byte{2};
  EXPECT_TRUE(same(in, out));
}

TEST_F(Faulty, AFailedSyncIsFinal) {
  const auto file = disk.create("a");
  disk.set({Trouble::io_error, disk.operations()});
  EXPECT_TRUE(says(caught([&] { file->sync(); }), "a: cannot sync: Input/output error"));
  EXPECT_TRUE(says(caught([&] { file->sync(); }), "an earlier attempt failed"));
}

}  // namespace
}  // namespace spillway
