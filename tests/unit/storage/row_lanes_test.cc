#include "storage/runs/row_lanes.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace spillway {
namespace {

// Rows of few values, in planes; what fills the last lanes is the first row, as in a block.
template <std::size_t W>
void compare(std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const std::size_t count = 1 + random() % 64;
  const std::size_t plane = plane_words(64);
  std::vector<std::vector<Word>> rows(count, std::vector<Word>(W));
  std::vector<Word> planes(W * plane, ~Word{0});
  const auto any = [&] { return random() % 3 * 0x8000000000000001; };
  for (auto& row : rows)
    for (Word& word : row) word = any();
  for (std::size_t i = 0; i < (count + kLanes - 1) / kLanes * kLanes; ++i)
    for (std::size_t w = 0; w < W; ++w) planes[w * plane + i] = rows[i < count ? i : 0][w];
  for (int round = 0; round < 30; ++round) {
    std::vector<Word> wanted(W);
    for (Word& word : wanted) word = any();
    bool expected = false;
    for (const auto& row : rows) expected = expected || row == wanted;
    ASSERT_EQ(is_among_plain<W>(wanted.data(), planes.data(), plane, count), expected);
    ASSERT_EQ(is_among<W>(wanted.data(), planes.data(), plane, count), expected);
  }
}

TEST(RowLanes, PlainAndVectorFormAgreeWithALoop) {
  for (std::uint64_t seed = 1; seed <= 1000 && !testing::Test::HasFatalFailure(); ++seed) {
    compare<1>(seed);
    compare<2>(seed);
    compare<3>(seed);
    compare<4>(seed);
  }
}

}  // namespace
}  // namespace spillway
