#include "check/facts/statistics.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

Digest digest_of(Word state) {
  Digest digest;
  digest.add({&state, 1});
  return digest;
}

TEST(Statistics, AreSumsOverLevels) {
  Statistics s;
  EXPECT_EQ(s.depth(), 0U) << "of an empty search";
  s.add({1, 3, digest_of(1)});
  EXPECT_EQ(s.depth(), 0U);
  s.add({2, 4, digest_of(2)});
  EXPECT_EQ(s.depth(), 1U);
  EXPECT_EQ(s.states, 3U);
  EXPECT_EQ(s.transitions, 7U);
  Digest both = digest_of(2);
  both.add(digest_of(1));
  EXPECT_EQ(s.digest, both);
}

TEST(Statistics, CountExactlyAtEverySize) {
  for (const std::uint64_t size :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 31, std::uint64_t{1} << 32,
        std::uint64_t{1} << 53, std::uint64_t{1000000000000}, std::uint64_t{1} << 63}) {
    Statistics s;
    s.add({size, size, {}});
    s.add({1, 1, {}});
    EXPECT_EQ(s.states, size + 1);
    EXPECT_EQ(s.transitions, size + 1);
  }
}

}  // namespace
}  // namespace spillway
