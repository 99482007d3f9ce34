#include "base/hash/hash.h"

#include "base/hash/row_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace spillway {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};
constexpr std::array<std::size_t, 12> kPlaces = {1,
                                                 2,
                                                 3,
                                                 7,
                                                 64,
                                                 65537,
                                                 2147483647,
                                                 std::size_t{1} << 32,
                                                 (std::size_t{1} << 32) + 1,
                                                 1000000000039,
                                                 std::size_t{1} << 40,
                                                 kMost};

TEST(PlaceOf, FirstAndLastHashGoToFirstAndLastPlace) {
  for (const std::size_t places : kPlaces) {
    EXPECT_EQ(place_of(0, places), 0U) << places;
    EXPECT_EQ(place_of(kMost, places), places - 1) << places;
  }
}

TEST(PlaceOf, IsAPlaceAndFollowsTheOrderOfHashes) {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> hashes = {0, 1, kMost - 1, kMost, kMost / 2, kMost / 2 + 1};
  for (int i = 0; i < 10000; ++i) hashes.push_back(random());
  std::sort(hashes.begin(), hashes.end());
  for (const std::size_t places : kPlaces) {
    std::size_t before = 0;
    for (const std::uint64_t hash : hashes) {
      const std::size_t place = place_of(hash, places);
      ASSERT_LT(place, places);
      ASSERT_GE(place, before) << places;
      before = place;
    }
  }
}

// Place k of n begins with the hash k * 2^64 / n, rounded up: what growing tables rely on.
TEST(PlaceOf, PlacesBeginWhereTheyShould) {
  for (const std::size_t places :
       {std::size_t{2}, std::size_t{3}, std::size_t{65537}, (std::size_t{1} << 32) + 1}) {
    for (const std::size_t place : {std::size_t{1}, places / 2, places - 1}) {
      const Wide first = ((static_cast<Wide>(place) << 64) + places - 1) / places;
      EXPECT_EQ(place_of(static_cast<std::uint64_t>(first), places), place);
      EXPECT_EQ(place_of(static_cast<std::uint64_t>(first) - 1, places), place - 1);
    }
  }
}

// x such that x * odd == 1 modulo 2^64, by Newton's iteration.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

std::uint64_t gathered(std::uint64_t y) {
  y ^= y >> 29 ^ y >> 58;
  y *= inverse(0xd6e8feb86659fd93u);
  y ^= y >> 32;
  return y * inverse(0x9e3779b97f4a7c15u);
}

TEST(Scatter, HasAnInverseSoNoTwoWordsCollide) {
  std::mt19937_64 random(2);
  std::vector<std::uint64_t> words = {0, kMost};
  for (int bit = 0; bit < 64; ++bit)
    words.insert(words.end(), {std::uint64_t{1} << bit, kMost << bit, kMost >> bit});
  for (int i = 0; i < 10000; ++i) words.push_back(random());
  for (const std::uint64_t word : words) ASSERT_EQ(gathered(scatter(word)), word);
}

// Models pack small numbers into any bits of a word.  They must not crowd, neither by the high
// bits, which choose the home, nor by the low ones, which LongRowTable compares.
TEST(Scatter, SpreadsSmallNumbersInAnyBits) {
  constexpr std::size_t kBins = 256;
  constexpr std::size_t kEach = 256;
  for (int shift = 0; shift <= 48; shift += 8) {
    std::array<std::size_t, kBins> by_high{};
    std::array<std::size_t, kBins> by_low{};
    for (std::uint64_t i = 0; i < kBins * kEach; ++i) {
      const std::uint64_t hash = scatter(i << shift);
      ++by_high[place_of(hash, kBins)];
      ++by_low[hash % kBins];
    }
    EXPECT_LT(*std::max_element(by_high.begin(), by_high.end()), 2 * kEach) << "shift " << shift;
    EXPECT_LT(*std::max_element(by_low.begin(), by_low.end()), 2 * kEach) << "shift " << shift;
  }
}

TEST(PlaceHash, OfOneWordIsScatter) {
  const Word row[] = {42};
  EXPECT_EQ(place_hash(row, 1), scatter(42));
}

TEST(PlaceHash, DependsOnEveryWordAndItsPlace) {
  const std::vector<Word> row = {1, 2, 3, 4, 5};
  const std::uint64_t hash = place_hash(row.data(), row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::vector<Word> other = row;
    ++other[i];
    EXPECT_NE(place_hash(other.data(), other.size()), hash) << i;
  }
  const std::vector<Word> swapped = {2, 1, 3, 4, 5};
  EXPECT_NE(place_hash(swapped.data(), swapped.size()), hash);
}

// Rows of two words that have the same place: seeds that only change what is made of it would not
// tell them apart.
TEST(RowHash, TellsRowsOfTheSamePlaceApartByAnyUseAndSeed) {
  for (std::uint64_t i = 1; i < 200; ++i) {
    const std::vector<Word> a = {i, 1000000 - scatter(i)};
    const std::vector<Word> b = {i + 1, 1000000 - scatter(i + 1)};
    ASSERT_EQ(place_hash(a.data(), 2), place_hash(b.data(), 2));
    for (const HashUse use :
         {HashUse::partition, HashUse::share, HashUse::count, HashUse::signature})
      for (std::uint64_t seed = 0; seed < 10; ++seed)
        ASSERT_NE(row_hash(a, use, seed), row_hash(b, use, seed));
  }
}

TEST(RowHash, DependsOnEveryWordOnTheUseAndOnTheSeed) {
  const std::vector<Word> row = {1, 2, 3, 4, 5};
  std::set<std::uint64_t> hashes = {row_hash(row, HashUse::signature)};
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::vector<Word> other = row;
    ++other[i];
    EXPECT_TRUE(hashes.insert(row_hash(other, HashUse::signature)).second) << i;
  }
  for (const HashUse use : {HashUse::partition, HashUse::share, HashUse::count})
    EXPECT_TRUE(hashes.insert(row_hash(row, use)).second);
  for (std::uint64_t seed = 1; seed < 1000; ++seed)
    EXPECT_TRUE(hashes.insert(row_hash(row, HashUse::signature, seed)).second) << seed;
}

// What falls together by one use is spread evenly by another, and by the places of tables.
TEST(RowHash, UsesDoNotDependOnEachOther) {
  constexpr std::uint64_t kParts = 16;
  for (const HashUse first :
       {HashUse::partition, HashUse::share, HashUse::count, HashUse::signature}) {
    std::array<std::uint64_t, kParts> other{}, places{};
    std::uint64_t rows = 0;
    for (Word i = 0; i < 100000; ++i) {
      const std::vector<Word> row = {i, i / 7};
      if (row_hash(row, first) % kParts != 3) continue;
      ++rows;
      ++other[row_hash(row, first == HashUse::share ? HashUse::count : HashUse::share) % kParts];
      ++places[place_of(place_hash(row.data(), 2), kParts)];
    }
    for (std::uint64_t part = 0; part < kParts; ++part) {
      EXPECT_NEAR(static_cast<double>(other[part]), static_cast<double>(rows) / kParts, 120);
      EXPECT_NEAR(static_cast<double>(places[part]), static_cast<double>(rows) / kParts, 120);
    }
  }
}

}  // namespace
}  // namespace spillway
