// Whatever happens to a block on disk is noticed, and the error says where.
#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstring>
#include <random>

#include "cases.h"
#include "storage/blocks/block_file.h"
#include "storage/blocks/block_reader.h"
#include "storage/blocks/block_writer.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

constexpr std::size_t kBlock = std::size_t{64} << 10;

// A file of three full blocks in memory, whose bytes can be spoilt.
class Damage : public testing::Test {
 protected:
  Damage() : file(write("f", format)) {}

  BlockFile write(const std::string& name, const BlockFormat& as) {
    BlockFile made(disk, name, as);
    BlockWriter writer(made, budget, {1, 1});
    std::mt19937_64 random(as.file_id);
    for (std::size_t i = 0; i < 3 * as.capacity() / 8; ++i) {
      const std::uint64_t word = random();
      writer.append(std::as_bytes(std::span(&word, 1)));
    }
    writer.finish();
    EXPECT_EQ(made.blocks(), 3U);
    return made;
  }
  std::vector<std::byte>& bytes() { return disk.bytes("f"); }
  std::optional<Error> reading() {
    return caught([&] {
      BlockReader reader(file, budget, {1, 1});
      while (reader.next()) {
      }
    });
  }
  std::string complaint() {
    const auto error = reading();
    if (!error) return "no error";
    EXPECT_EQ(error->fault(), Fault::integrity);
    return error->what();
  }

  BlockFormat format{1, 2, kBlock};
  Budget budget{1 << 20};
  MemoryDisk disk;
  BlockFile file;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Damage, NothingIsWrongAtFirst) { EXPECT_EQ(complaint(), "no error"); }

TEST_F(Damage, EveryBitCounts) {
  std::vector<std::byte> block(bytes().begin() + kBlock, bytes().begin() + 2 * kBlock);
  std::size_t noticed = 0, tried = 0;
  for (std::size_t bit = 0; bit < kBlock * 8; bit += step_of_all(61), ++tried) {
    const auto mask = static_cast<std::byte>(1U << bit % 8);
    block[bit / 8] ^= mask;
    noticed += caught([&] { open_block(block, format, 1, "f"); }).has_value() ? 1U : 0U;
    block[bit / 8] ^= mask;
  }
  EXPECT_EQ(noticed, tried);
  EXPECT_GE(tried, kBlock / 8);
  EXPECT_FALSE(caught([&] { open_block(block, format, 1, "f"); }));
}

TEST_F(Damage, BitsBehindAShortPayloadCountToo) {
  std::vector<std::byte> block(kSector);
  format.block_bytes = kSector;
  seal_block(block, format, {5, 1, 10});
  for (std::size_t bit = 0; bit < kSector * 8; bit += step_of_all(13)) {
    block[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
    EXPECT_TRUE(caught([&] { open_block(block, format, 5, "f"); })) << bit;
    block[bit / 8] ^= static_cast<std::byte>(1U << bit % 8);
  }
}

TEST_F(Damage, TheErrorNamesFileBlockAndOffset) {
  bytes()[kBlock + 1000] ^= std::byte{1};
  EXPECT_EQ(complaint(),
            "f: block 1 at offset 65,536 is damaged: its checksum does not match; the disk or its "
            "driver is failing");
}

TEST_F(Damage, SwappedBlocks) {
  std::swap_ranges(bytes().begin(), bytes().begin() + kBlock, bytes().begin() + kBlock);
  EXPECT_TRUE(contains(complaint(), "f: block 0 at offset 0 is block 1: blocks were swapped"));
}

TEST_F(Damage, ABlockOfAnotherFile) {
  BlockFile other = write("g", {1, 3, kBlock});
  std::memcpy(bytes().data() + kBlock, disk.bytes("g").data() + kBlock, kBlock);
  EXPECT_TRUE(contains(complaint(), "block 1 at offset 65,536 belongs to another file"));
}

TEST_F(Damage, ABlockOfAnotherRun) {
  BlockFile other = write("g", {9, 2, kBlock});
  std::memcpy(bytes().data(), disk.bytes("g").data(), kBlock);
  EXPECT_TRUE(contains(complaint(), "block 0 at offset 0 is left over from another run"));
}

TEST_F(Damage, ABlockOfAnotherVersion) {
  // As a later program would write it: another version under a right checksum is not to be had from
  // here, so the format itself is read with a wrong idea of what it must be.
  bytes()[12] = std::byte{2};
  EXPECT_TRUE(contains(complaint(), "block 0 at offset 0 is damaged"));
}

TEST_F(Damage, ABlockThatWasNeverWritten) {
  std::fill(bytes().begin() + 2 * kBlock, bytes().end(), std::byte{0});
  EXPECT_TRUE(contains(complaint(), "block 2 at offset 131,072 was never written"));
}

TEST_F(Damage, SomethingElse) {
  std::memcpy(bytes().data(), "#!/bin/sh and so on", 20);
  EXPECT_TRUE(contains(complaint(), "block 0 at offset 0 is not a block"));
}

TEST_F(Damage, ZerosInEveryPage) {
  for (std::size_t page = 0; page < bytes().size(); page += kSector) {
    std::vector<std::byte> before(bytes().begin() + static_cast<std::ptrdiff_t>(page),
                                  bytes().begin() + static_cast<std::ptrdiff_t>(page + kSector));
    std::fill_n(bytes().begin() + static_cast<std::ptrdiff_t>(page), kSector, std::byte{0});
    EXPECT_TRUE(reading()) << page;
    std::copy(before.begin(), before.end(), bytes().begin() + static_cast<std::ptrdiff_t>(page));
  }
  EXPECT_FALSE(reading());
}

TEST_F(Damage, TheFileIsCutOffAnywhere) {
  const std::vector<std::byte> whole = bytes();
  for (std::size_t size = 0; size < whole.size(); size += kSector) {
    bytes().assign(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_TRUE(
        contains(complaint(), "f: truncated: the file ends within the 65,536 bytes at offset"))
        << size;
    EXPECT_EQ(caught([&] { BlockFile::open(disk, "f", format); }).has_value(), size % kBlock != 0);
  }
}

// A right checksum under wrong contents: what a hostile file can do.
TEST_F(Damage, BlocksThatPromiseTooMuch) {
  std::vector<std::byte> block(kSector);
  format.block_bytes = kSector;
  const auto opened = [&](std::uint32_t flags, std::uint32_t payload, std::uint32_t stored) {
    seal_block(block, format, {0, 1, 10});
    const std::uint32_t version_and_flags = 1 | flags << 16, lengths[] = {payload, stored};
    std::memcpy(block.data() + 12, &version_and_flags, sizeof version_and_flags);
    std::memcpy(block.data() + 40, lengths, sizeof lengths);
    const std::uint64_t checksum = XXH3_64bits(block.data() + 8, block.size() - 8);
    std::memcpy(block.data(), &checksum, sizeof checksum);
    return !caught([&] { open_block(block, format, 0, "f"); });
  };
  const auto most = static_cast<std::uint32_t>(format.capacity());
  EXPECT_TRUE(opened(0, most, most));
  EXPECT_FALSE(opened(0, most + 1, most + 1));
  EXPECT_FALSE(opened(0, 10, 11));
  EXPECT_FALSE(opened(0, UINT32_MAX, 10));
  EXPECT_FALSE(opened(1, 10, 10));
}

}  // namespace
}  // namespace spillway
