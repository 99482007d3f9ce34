#include "storage/runs/packing/row_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace spillway {
namespace {

class RowLanes : public testing::TestWithParam<VectorLevel> {
 protected:
  // Rows of few values, in planes; what fills the last lanes is the first row, as in a block.
  template <std::size_t W>
  void compare(std::uint64_t seed) {
    SCOPED_TRACE(testing::Message() << W << " words, seed " << seed);
    std::mt19937_64 random(seed);
    const std::size_t count = 1 + random() % 64;
    const std::size_t plane = plane_words(64);
    using Row = std::vector<Word>;
    const auto any_row = [&] {
      Row row(W);
      for (Word& word : row) word = random() % 3 * 0x8000000000000001;
      return row;
    };
    std::vector<Row> others(count);
    for (Row& row : others) row = any_row();
    std::vector<Word> planes(W * plane, ~Word{0});
    for (std::size_t i = 0; i < (count + kLanes - 1) / kLanes * kLanes; ++i)
      for (std::size_t w = 0; w < W; ++w) planes[w * plane + i] = others[i < count ? i : 0][w];
    Row rows, expected;
    for (int i = 0; i < 30; ++i) {
      const Row row = any_row();
      rows.insert(rows.end(), row.begin(), row.end());
      if (std::find(others.begin(), others.end(), row) == others.end())
        expected.insert(expected.end(), row.begin(), row.end());
    }
    Row copied(rows.size());
    const RowPlanes where = {planes.data(), plane, count};
    const CopyMissing copy_missing = copy_missing_for<W>(GetParam());
    const Word* end = copy_missing(rows.data(), rows.data() + rows.size(), where, copied.data());
    copied.resize(static_cast<std::size_t>(end - copied.data()));
    ASSERT_EQ(copied, expected);
    end = copy_missing(rows.data(), rows.data() + rows.size(), where, rows.data());
    rows.resize(static_cast<std::size_t>(end - rows.data()));
    ASSERT_EQ(rows, expected) << "in place";
  }
};

TEST_P(RowLanes, AgreeWithALoop) {
  if (GetParam() > processor_level()) GTEST_SKIP() << "not here: the processor does not have it";
  for (std::uint64_t seed = 1; seed <= 1000 && !HasFatalFailure(); ++seed) {
    compare<1>(seed);
    compare<2>(seed);
    compare<3>(seed);
    compare<4>(seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, RowLanes, testing::ValuesIn(kVectorLevels),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace spillway
