// Writing and reading files of blocks, with buffers of all sizes.
#include "storage/blocks/block_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cases.h"
#include "storage/blocks/block_reader.h"
#include "storage/blocks/block_writer.h"
#include "unit/caught.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

using Bytes = std::vector<std::byte>;

Bytes random_record(std::mt19937_64& random, std::size_t size) {
  Bytes record(size);
  for (std::byte& b : record) b = static_cast<std::byte>(random());
  return record;
}

BlockFormat format_of(std::size_t sectors) { return {11, 22, sectors * kSector}; }

// All payloads one after the other, and a check that blocks come in the order of `numbers`.
Bytes payloads(BlockReader& reader, std::vector<std::uint64_t>* numbers = nullptr) {
  Bytes all;
  while (const std::optional<Block> block = reader.next()) {
    all.insert(all.end(), block->payload.begin(), block->payload.end());
    if (numbers != nullptr) numbers->push_back(block->number);
  }
  return all;
}

class BlockFiles : public testing::TestWithParam<DiskKind> {
 protected:
  Budget budget{std::uint64_t{64} << 20};
  TestDisk disk{GetParam()};
};

TEST_P(BlockFiles, GiveBackWhatWasAppended) {
  std::mt19937_64 random(1);
  for (const Behind behind : {Behind{1, 1}, Behind{2, 1}, Behind{1, 3}, Behind{3, 2}, Behind{}})
    for (const std::size_t records : {0, 1, 2, 3, 7, 100}) {
      BlockFile file(*disk, "f", format_of(1));
      Bytes written;
      {
        BlockWriter writer(file, budget, behind);
        for (std::size_t i = 0; i < records; ++i) {
          const Bytes record = random_record(random, 1 + random() % 3000);
          writer.append(record);
          written.insert(written.end(), record.begin(), record.end());
        }
        writer.finish();
      }
      EXPECT_EQ(budget.used(), 0U);
      for (const Ahead ahead : {Ahead{1, 1}, Ahead{2, 1}, Ahead{1, 3}, Ahead{3, 2}, Ahead{}}) {
        BlockReader reader(file, budget, ahead);
        ASSERT_EQ(payloads(reader), written) << records;
      }
      EXPECT_EQ(budget.used(), 0U);
    }
}

TEST_P(BlockFiles, ReadPartsAndPieces) {
  std::mt19937_64 random(2);
  BlockFile file(*disk, "f", format_of(1));
  std::vector<Bytes> written;
  BlockWriter writer(file, budget, {2, 3});
  for (std::uint64_t i = 0; i < 20; ++i) {
    EXPECT_EQ(writer.block(), i);
    written.push_back(random_record(random, 1 + random() % file.format().capacity()));
    writer.append(written.back());
    writer.end_block();
    writer.end_block();  // an empty block is none
  }
  writer.finish();
  ASSERT_EQ(file.blocks(), 20U);
  const auto expected = [&](const std::vector<std::uint64_t>& numbers) {
    Bytes all;
    for (const std::uint64_t i : numbers)
      all.insert(all.end(), written[i].begin(), written[i].end());
    return all;
  };
  for (std::size_t buffers = 1; buffers < 4; ++buffers)
    for (std::size_t blocks = 1; blocks < 4; ++blocks)
      for (std::uint64_t from = 0; from <= 20; from += step_of_all(4))
        for (std::uint64_t to = from; to <= 21; to += step_of_all(3)) {
          std::vector<std::uint64_t> range, seen, list;
          for (std::uint64_t i = from; i < std::min<std::uint64_t>(to, 20); ++i) range.push_back(i);
          BlockReader reader(file, budget, Ahead{buffers, blocks}, from, to);
          ASSERT_EQ(payloads(reader, &seen), expected(range));
          ASSERT_EQ(seen, range);
          for (const std::uint64_t i : range)
            if (random() % 3 != 0) list.push_back(i);
          seen.clear();
          BlockReader picker(file, budget, list, Ahead{buffers, blocks});
          ASSERT_EQ(payloads(picker, &seen), expected(list));
          ASSERT_EQ(seen, list);
        }
  BlockLookup lookup(file, budget);
  for (int i = 0; i < 50; ++i) {
    const std::uint64_t number = random() % 20;
    const Block block = lookup.read(number);
    EXPECT_TRUE(std::ranges::equal(block.payload, written[number]));
    EXPECT_EQ(block.number, number);
    EXPECT_EQ(block.records, 1U);
  }
}

TEST_P(BlockFiles, StayOnlyWhenTheyAreKept) {
  const Bytes record(100, std::byte{7});
  { BlockFile file(*disk, "gone", format_of(1)); }
  {
    BlockFile file(*disk, "kept", format_of(1));
    BlockWriter writer(file, budget, {1, 1});
    writer.append(record);
    writer.finish();
    file.sync();
    file.keep();
  }
  EXPECT_EQ(disk->list(), std::vector<std::string>{"kept"});
  const BlockFile file = BlockFile::open(*disk, "kept", format_of(1));
  EXPECT_EQ(file.blocks(), 1U);
  BlockReader reader(file, budget);
  EXPECT_EQ(payloads(reader), record);
}

TEST_P(BlockFiles, CanBeClearedAndWrittenAgain) {
  BlockFile file(*disk, "f", format_of(1));
  for (std::uint64_t round = 0; round < 3; ++round) {
    const Bytes record(100, static_cast<std::byte>(round));
    BlockWriter writer(file, budget, {1, 1});
    writer.append(record);
    writer.finish();
    BlockReader reader(file, budget);
    EXPECT_EQ(payloads(reader), record);
    EXPECT_TRUE(writer.unwritten().empty());
    file.clear(100 + round);
    EXPECT_EQ(file.blocks(), 0U);
  }
}

TEST_P(BlockFiles, CanBeReadBetweenAppends) {
  std::mt19937_64 random(4);
  for (const Behind behind : {Behind{1, 1}, Behind{1, 3}, Behind{2, 2}}) {
    BlockFile file(*disk, "f", format_of(1));
    BlockWriter writer(file, budget, behind);
    BlockReader reader(file.format(), budget, {2, 2});
    Bytes written;
    for (int round = 0; round < 30; ++round) {
      for (std::uint64_t i = random() % 12; i > 0; --i) {
        const Bytes record = random_record(random, 1000);
        writer.append(record);
        written.insert(written.end(), record.begin(), record.end());
      }
      writer.settle();
      reader.read(file);
      Bytes read = payloads(reader);
      const std::span<const std::byte> rest = writer.unwritten();
      read.insert(read.end(), rest.begin(), rest.end());
      ASSERT_EQ(read, written);
      if (round % 7 == 6) {
        written.resize(written.size() - rest.size());
        writer.drop_unwritten();
      }
      if (round % 10 == 9) {
        writer.finish();
        writer.go_on(file);
      }
    }
  }
}

TEST_P(BlockFiles, CanBeWrittenBlockByBlock) {
  std::mt19937_64 random(5);
  BlockFile file(*disk, "f", format_of(1));
  const Buffer block = Buffer::need(budget, kSector, "a test");
  std::vector<Bytes> written(5);
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t number = random() % (std::min<std::uint64_t>(file.blocks(), 4) + 1);
    written[number] = random_record(random, random() % 4000);
    std::ranges::copy(written[number], block.data() + kBlockHeaderBytes);
    file.write(number, block.all(), written[number].size(), number);
    const std::uint64_t other = random() % file.blocks();
    ASSERT_TRUE(std::ranges::equal(file.read(other, block.all()).payload, written[other]));
  }
}

TEST_P(BlockFiles, TakeNoMoreThanTheBudget) {
  BlockFile file(*disk, "f", format_of(4));
  Budget small(8 * kSector);
  const auto error = caught([&] { BlockWriter writer(file, small, {3, 1}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_EQ(small.used(), 0U);
  BlockWriter writer(file, small, {2, 1});
  EXPECT_EQ(small.used(), 8 * kSector);
  EXPECT_TRUE(caught([&] { BlockLookup lookup(file, small); }));
}

TEST(BlockWriterOnAFailingDisk, TellsErrorsAtTheEndAtTheLatest) {
  Budget budget{1 << 20};
  for (const Behind behind : {Behind{1, 1}, Behind{1, 2}, Behind{3, 1}, Behind{4, 2}})
    for (std::uint64_t failing = 0; failing < 3; ++failing)
      for (const bool finishing : {true, false}) {
        MemoryDisk memory;
        FaultyDisk disk(memory);
        disk.set({Trouble::io_error, 1 + failing / behind.blocks});
        BlockFile file(disk, "f", format_of(1));
        BlockWriter writer(file, budget, behind);
        const auto error = caught([&] {
          for (int i = 0; i < 3; ++i) {
            writer.append(Bytes(4000, std::byte{1}));
            writer.end_block();
          }
          finishing ? writer.finish() : writer.settle();
        });
        ASSERT_TRUE(error) << failing;
        EXPECT_NE(std::string(error->what()).find("f: cannot write"), std::string::npos)
            << error->what();
        EXPECT_EQ(file.blocks(), 0U);
      }
}

INSTANTIATE_TEST_SUITE_P(Storage, BlockFiles, testing::ValuesIn(all_disk_kinds()),
                         [](const auto& instance) { return name_of(instance.param); });

}  // namespace
}  // namespace spillway
