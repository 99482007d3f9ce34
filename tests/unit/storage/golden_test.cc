// Files written by earlier versions can still be read.  A golden file is made once, by the program
// that first wrote its version:
//   SPILLWAY_GOLDEN=FOLDER unit_storage --gtest_filter=Golden.*
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/state.h"
#include "folders.h"
#include "storage/blocks/block_file.h"
#include "storage/blocks/block_reader.h"
#include "storage/blocks/block_writer.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr BlockFormat kPlain{0x1122334455667788, 42, kSector};

// 700 rows of two words.
std::vector<Word> golden_row(Word i) { return {i / 3, i * i % 17}; }

void write(MemoryDisk& disk, const std::string& name, const BlockFormat& format) {
  Budget budget(1 << 20);
  BlockFile file(disk, name, format);
  BlockWriter writer(file, budget, {1, 1});
  for (Word i = 0; i < 700; ++i) {
    const std::vector<Word> row = golden_row(i);
    writer.append(std::as_bytes(std::span(row)));
  }
  writer.finish();
  file.keep();
}

std::vector<std::byte> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(chars));
  return {bytes.begin(), bytes.end()};
}

void expect_golden(const std::string& name, const BlockFormat& format) {
  MemoryDisk disk;
  write(disk, name, format);
  if (const char* folder = std::getenv("SPILLWAY_GOLDEN")) {
    const std::vector<std::byte>& bytes = disk.bytes(name);
    std::ofstream(std::string(folder) + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  disk.bytes(name) = bytes_of(source_file("tests/golden/" + name));
  Budget budget(1 << 20);
  const BlockFile file = BlockFile::open(disk, name, format);
  BlockReader reader(file, budget);
  Word next = 0;
  while (const std::optional<Block> block = reader.next())
    for (std::size_t at = 0; at < block->payload.size(); at += 16, ++next) {
      const std::vector<Word> row = golden_row(next);
      ASSERT_TRUE(std::ranges::equal(block->payload.subspan(at, 16), std::as_bytes(std::span(row))))
          << next;
    }
  EXPECT_EQ(next, 700U);
}

TEST(Golden, PlainBlocksOfVersion1) { expect_golden("blocks-v1", kPlain); }

TEST(Golden, PlainBlocksAreStillWrittenSo) {
  MemoryDisk disk;
  write(disk, "blocks-v1", kPlain);
  EXPECT_EQ(disk.bytes("blocks-v1"), bytes_of(source_file("tests/golden/blocks-v1")));
}

}  // namespace
}  // namespace spillway
