// The hash of long rows, on rows that differ in little, as those of models do: no two of them have
// the same hash, and they do not crowd, neither by the high bits, which choose the home, nor by the
// low ones, which LongRowTable compares.
#include "base/hash/long_hash.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;
constexpr std::size_t kBins = 256;
constexpr std::size_t kMany = 64 * kBins;

class Hashes {
 public:
  // REQUIRES: it was not added before.
  void add(const Row& row) {
    const std::uint64_t hash = long_hash(row.data(), row.size());
    all_.insert(hash);
    ++by_high_[place_of(hash, kBins)];
    ++by_low_[hash % kBins];
    ++rows_;
  }

  std::size_t size() const { return rows_; }

  void expect_no_two_alike(const std::string& which) const {
    EXPECT_EQ(all_.size(), rows_) << which;
  }
  // Nor are there many more or fewer in a bin than chance puts there.  REQUIRES: kMany rows.
  void expect_spread(const std::string& which) const {
    expect_no_two_alike(which);
    ASSERT_GE(rows_, kMany) << which;
    const std::size_t most = 2 * rows_ / kBins;
    for (const auto& bins : {by_high_, by_low_}) {
      EXPECT_LT(*std::max_element(bins.begin(), bins.end()), most) << which;
      EXPECT_GT(*std::min_element(bins.begin(), bins.end()), most / 8) << which;
    }
  }

 private:
  std::set<std::uint64_t> all_;
  std::array<std::size_t, kBins> by_high_{};
  std::array<std::size_t, kBins> by_low_{};
  std::size_t rows_ = 0;
};

// Around the length of a block, and odd.
constexpr std::array<std::size_t, 10> kLengths = {3, 4, 5, 7, 15, 21, 31, 32, 33, 66};

Row numbered(std::size_t words) {
  Row row(words);
  for (std::size_t i = 0; i < words; ++i) row[i] = i + 1;
  return row;
}

// Computed by another program.
TEST(LongHash, IsTheSameOnAllMachines) {
  const Row row = numbered(37);
  EXPECT_EQ(long_hash(row.data(), 3), 10982562498629111546u);
  EXPECT_EQ(long_hash(row.data(), 8), 12026556025278975572u);
  EXPECT_EQ(long_hash(row.data(), 37), 9694645425682037371u);
}

TEST(LongHash, DependsOnEveryWordAndItsPlace) {
  for (const std::size_t words : kLengths) {
    const Row row = numbered(words);
    Hashes hashes;
    hashes.add(row);
    for (std::size_t i = 0; i < words; ++i) {
      Row other = row;
      other[i] = 1000;
      hashes.add(other);
      for (std::size_t k = 0; k < i; ++k) {
        Row swapped = row;
        std::swap(swapped[i], swapped[k]);
        hashes.add(swapped);
      }
    }
    hashes.expect_no_two_alike(fmt::format("{} words", words));
  }
}

TEST(LongHash, SpreadsCountersInAnyBitsOfAnyWord) {
  for (const std::size_t words : {5, 33})
    for (std::size_t word = 0; word < words; word += step_of_all(5))
      for (const int shift : {0, 50}) {
        Hashes hashes;
        Row row(words);
        for (row[word] = 0; hashes.size() < kMany; row[word] += Word{1} << shift) hashes.add(row);
        hashes.expect_spread(fmt::format("{} words, word {}, bit {}", words, word, shift));
      }
}

// In both factors of a product, and in factors of two.
TEST(LongHash, SpreadsTwoCounters) {
  for (const std::size_t other : {1, 2, 3, 32}) {
    Hashes hashes;
    Row row(33);
    for (row[0] = 0; row[0] < 128; ++row[0])
      for (row[other] = 0; row[other] < 128; ++row[other]) hashes.add(row);
    hashes.expect_spread(fmt::format("words 0 and {}", other));
  }
}

// What one counter gains the other loses.
TEST(LongHash, SpreadsCountersWhoseSumIsTheSame) {
  for (const std::size_t words : {4, 5, 21})
    for (std::size_t word = 1; word < words; ++word) {
      Hashes hashes;
      Row row(words, kMany);
      for (; hashes.size() < kMany; ++row[0], --row[word]) hashes.add(row);
      hashes.expect_spread(fmt::format("{} words, 0 and {}", words, word));
    }
}

TEST(LongHash, SpreadsRowsOfEqualWords) {
  for (const std::size_t words : kLengths)
    for (const int shift : {0, 50}) {
      Hashes hashes;
      for (Word i = 0; i < kMany; ++i) hashes.add(Row(words, i << shift));
      hashes.expect_spread(fmt::format("{} words, bit {}", words, shift));
    }
}

TEST(LongHash, SpreadsRowsWithOneOrTwoBits) {
  for (const std::size_t words : {3, 5}) {
    Hashes hashes;
    for (std::size_t i = 0; i < 64 * words; ++i)
      for (std::size_t k = 0; k <= i; ++k) {
        Row row(words);
        row[i / 64] |= Word{1} << i % 64;
        row[k / 64] |= Word{1} << k % 64;
        hashes.add(row);
      }
    hashes.expect_spread(fmt::format("{} words", words));
  }
}

TEST(LongHash, SpreadsOrdersOfTheSameWords) {
  for (const Word factor : {Word{1}, Word{1} << 60}) {
    Row row(8);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = i * factor;
    Hashes hashes;
    do hashes.add(row);
    while (std::next_permutation(row.begin(), row.end()));
    hashes.expect_spread(fmt::format("times {}", factor));
  }
}

TEST(LongHash, TellsVeryLongRowsApartByAnyWord) {
  Row row(8192);
  Hashes hashes;
  hashes.add(row);
  for (Word& word : row) {
    word = 1;  // and those before it
    hashes.add(row);
  }
  hashes.expect_no_two_alike("");
}

TEST(LongHash, DependsOnTheOrderOfBlocks) {
  Row row = numbered(8192);
  Hashes hashes;
  for (std::size_t i = 0; i < row.size(); i += 32) {
    hashes.add(row);
    std::rotate(row.begin(), row.begin() + 32, row.end());
  }
  std::swap_ranges(row.begin(), row.begin() + 32, row.begin() + 32);
  hashes.add(row);
  hashes.expect_no_two_alike("");
}

// Each bit of a row changes half the bits of its hash.
TEST(LongHash, ChangesHalfItsBits) {
  std::mt19937_64 random(1);
  for (const std::size_t words : kLengths) {
    constexpr int kRows = 64;
    std::vector<Row> rows(kRows, Row(words));  // half of the words are small
    for (Row& row : rows)
      for (Word& word : row) word = random() >> (random() % 2 * 60);
    for (std::size_t bit = 0; bit < 64 * words; bit += step_of_all(7)) {
      int changed = 0;
      for (Row row : rows) {
        const std::uint64_t before = long_hash(row.data(), words);
        row[bit / 64] ^= Word{1} << bit % 64;
        changed += std::popcount(before ^ long_hash(row.data(), words));
      }
      EXPECT_NEAR(changed / double{kRows}, 32.0, 4.0) << words << " words, bit " << bit;
    }
  }
}

}  // namespace
}  // namespace spillway
