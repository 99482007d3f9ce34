#include "storage/runs/packing/bit_lengths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cases.h"
#include "storage/runs/packing/run_block.h"

namespace spillway {
namespace {

std::uint64_t space(const BitLengths& lengths, const BitLengths::Counts& counts) {
  std::uint64_t sum = 0;
  for (unsigned n = 0; n < counts.size(); ++n)
    if (counts[n] != 0) sum += std::uint64_t{counts[n]} * lengths.bits(lengths.code_for(n));
  return sum;
}

// The least space with any eight of the lengths that occur.
std::uint64_t least_space(const BitLengths::Counts& counts) {
  std::vector<unsigned> occurring;
  for (unsigned n = 0; n < counts.size(); ++n)
    if (counts[n] != 0) occurring.push_back(n);
  std::uint64_t least = ~std::uint64_t{0};
  for (unsigned chosen = 0; chosen < 1U << occurring.size(); ++chosen) {
    if (std::popcount(chosen) > 8 || chosen >> (occurring.size() - 1) == 0) continue;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < occurring.size(); ++i) {
      const auto length = i + static_cast<std::size_t>(std::countr_zero(chosen >> i));
      sum += std::uint64_t{counts[occurring[i]]} * occurring[length];
    }
    least = std::min(least, sum);
  }
  return least;
}

TEST(BitLengths, AreTheBestOfAll) {
  std::mt19937_64 random(1);
  for (std::uint64_t i = cases(300); i > 0; --i) {
    BitLengths::Counts counts{};
    for (std::uint64_t n = 1 + random() % 12; n > 0; --n)
      counts[1 + random() % 57] = 1 + static_cast<std::uint32_t>(random() % (1U << random() % 12));
    EXPECT_EQ(space(BitLengths::best(counts), counts), least_space(counts));
  }
}

TEST(BitLengths, ThatAreReadAreNotTooLong) {
  std::uint8_t bytes[BitLengths::kBytes];
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::fill(std::begin(bytes), std::end(bytes), static_cast<std::uint8_t>(byte));
    for (unsigned code = 0; code < BitLengths::kCount; ++code)
      EXPECT_EQ(BitLengths::read(bytes).bits(code), std::min(byte, 64U));
  }
}

// Rows whose differences have up to `most` bits, all lengths alike.
std::vector<Word> rows_apart(std::mt19937_64& random, std::size_t count, unsigned most) {
  std::vector<Word> rows{random() % 3 == 0 ? 0 : random() & 0xffff};
  while (rows.size() < count) {
    const Word difference = (random() | Word{1} << 63) >> (63 - random() % most);
    if (difference > ~Word{0} - rows.back()) break;
    rows.push_back(rows.back() + difference);
  }
  return rows;
}

TEST(BitLengths, RowsAreWhatTheyWere) {
  std::mt19937_64 random(2);
  for (unsigned most = 1; most <= 64; ++most) {
    for (int i = 0; i < 20; ++i) {
      const BlockShape shape{1, 300, 1 + random() % 65, random() % 2 == 0};
      const std::vector<Word> rows = rows_apart(random, 1 + random() % 300, most);
      BlockPacker<1> packer(shape);
      BlockUnpacker<1> unpacker(shape);
      unpacker.open(packer.pack(rows.data(), rows.size()));
      ASSERT_EQ(unpacker.rows(), rows.size());
      std::vector<Word> read(rows.size());
      unpacker.unpack(read.data());
      ASSERT_EQ(read, rows) << most << " bits, groups of " << shape.group_rows;
      // Too few for whole groups, and as many as there are.
      for (const std::size_t step : {std::size_t{37}, std::size_t{1}}) {
        std::vector<Word> wanted, missing;
        for (std::size_t r = 0; r < rows.size(); r += step) {
          wanted.push_back(rows[r]);
          if (rows[r] == ~Word{0} || (r + 1 < rows.size() && rows[r + 1] == rows[r] + 1)) continue;
          wanted.push_back(rows[r] + 1);
          missing.push_back(rows[r] + 1);
        }
        const Word* const end =
            unpacker.subtract(wanted.data(), wanted.data() + wanted.size(), wanted.data());
        wanted.resize(static_cast<std::size_t>(end - wanted.data()));
        ASSERT_EQ(wanted, missing) << most << " bits, groups of " << shape.group_rows;
      }
    }
  }
}

// The differences take what their lengths say, not whole bytes.
TEST(BitLengths, MakeBlocksShort) {
  const BlockShape shape{1, 2048, 64, false};
  std::vector<Word> rows{0};
  for (unsigned i = 1; i < 2048; ++i) rows.push_back(rows.back() + (i % 2 == 0 ? 3 : 1000));
  BlockPacker<1> packer(shape);
  // 2 or 10 bits and a code of 3 for each row, a first row of three bytes and a size for each group
  EXPECT_LT(packer.pack(rows.data(), rows.size()).size(), 2048 * (6 + 3) / 8 + 32 * 5 + 64);
}

}  // namespace
}  // namespace spillway
