#include "base/hash/digest.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "base/hash/hash.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

Digest digest_of(const std::vector<Row>& rows) {
  Digest digest;
  for (const Row& row : rows) digest.add(row);
  return digest;
}

// Digests as the numbers they are, to do the sums of the definition by other means.
Wide number_of(const Digest& digest) {
  const std::string hex = digest.hex();
  return static_cast<Wide>(std::stoull(hex.substr(0, 16), nullptr, 16)) << 64 |
         std::stoull(hex.substr(16), nullptr, 16);
}

// The definition must never change: people compare digests of different versions.  The values come
// from the xxHash library as Debian ships it.
TEST(Digest, GoldenValues) {
  EXPECT_EQ(digest_of({{0}}).hex(), "2c0a8a99dc147d5445c3b49d035665b2");
  EXPECT_EQ(digest_of({{1}}).hex(), "bdc94bce2eda264dbc08dc21994df8a2");
  EXPECT_EQ(digest_of({{~Word{0}}}).hex(), "dc6b20d207425aa58b3249d34c2ef0b0");
  EXPECT_EQ(digest_of({{0x0123456789abcdef}}).hex(), "9d0a16a121edc615dc7da55868feb560");
  EXPECT_EQ(digest_of({{0, 0}}).hex(), "e5189a9599e3f86205ea23ef06e28b2d");
  EXPECT_EQ(digest_of({{1, 2}}).hex(), "556c70b5fae5b2a44967295965e4d325");
  EXPECT_EQ(digest_of({{1, 2, 3}}).hex(), "d0d66ae2837a0117026f21f9c50dcf1f");
}

TEST(Digest, GoldenValueOfTheLongestRow) {
  Row row(8192);
  std::iota(row.begin(), row.end(), Word{0});
  EXPECT_EQ(digest_of({row}).hex(), "06c475e199e3636bb75d688bf65d4aab");
}

TEST(Digest, GoldenValueOfAThousandStates) {
  Digest digest;
  for (Word i = 0; i < 1000; ++i) digest.add(Row{i});
  EXPECT_EQ(digest.hex(), "2a553450121ab035e554179e5b1269c2");
}

TEST(Digest, NothingIsZero) { EXPECT_EQ(Digest().hex(), std::string(32, '0')); }

TEST(Digest, OrderDoesNotMatter) {
  EXPECT_EQ(digest_of({{1}, {2}, {3}}), digest_of({{3}, {1}, {2}}));
  EXPECT_NE(digest_of({{1}, {2}}), digest_of({{1}, {3}}));
}

TEST(Digest, AStateCountedTwiceDoesNotCancel) {
  EXPECT_NE(digest_of({{5}, {5}}), Digest());
  EXPECT_NE(digest_of({{5}, {5}}), digest_of({{5}}));
  EXPECT_NE(digest_of({{5}, {5}, {6}}), digest_of({{6}}));
}

TEST(Digest, IsASumModulo2To128) {
  Wide sum = 0;
  unsigned carries = 0;
  unsigned overflows = 0;
  Digest digest;
  for (Word i = 0; i < 100; ++i) {
    const Wide term = number_of(digest_of({{i}}));
    carries += static_cast<Word>(sum) > ~static_cast<Word>(term) ? 1 : 0;
    overflows += sum > ~term ? 1 : 0;
    sum += term;
    digest.add(Row{i});
    ASSERT_TRUE(number_of(digest) == sum) << i;
  }
  EXPECT_GT(carries, 10U) << "from the low to the high half";
  EXPECT_GT(overflows, 10U) << "of the whole";
}

TEST(Digest, AddingDigestsIsAddingTheirStates) {
  Digest sum;
  Digest parts;
  for (Word i = 0; i < 100; ++i) {
    sum.add(Row{i});
    parts.add(digest_of({{i}}));
    ASSERT_EQ(parts, sum) << i;
  }
}

TEST(Digest, HexKeepsLeadingZeros) {
  bool high_zero = false;
  bool low_zero = false;
  for (Word i = 0; i < 1000; ++i) {
    const std::string hex = digest_of({{i}}).hex();
    ASSERT_EQ(hex.size(), 32U) << i;
    high_zero |= hex[0] == '0';
    low_zero |= hex[16] == '0';
  }
  EXPECT_TRUE(high_zero && low_zero) << "the samples do not show it";
}

}  // namespace
}  // namespace spillway
