#include "storage/runs/packing/row_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace spillway {
namespace {

// Words of few values: rows that differ in one word only, and equal rows, are frequent.
std::vector<Word> some_rows(std::size_t count, std::size_t words) {
  std::mt19937_64 random(words);
  std::vector<Word> rows(count * words);
  for (Word& word : rows) word = random() % 3 - 1;
  return rows;
}

class RowOrder : public testing::TestWithParam<std::size_t> {};

TEST_P(RowOrder, IsTheSameInRunsAndInReports) {
  const std::size_t words = GetParam();
  const std::vector<Word> storage = some_rows(200, words);
  const States rows(storage.data(), 200, words);
  for (const State a : rows)
    for (const State b : rows)
      with_width(words, [&](auto w) {
        EXPECT_EQ(below(a.data(), b.data(), Width<w>(words)), less(a, b));
      });
}

TEST_P(RowOrder, IsThatOfSortedRows) {
  const std::size_t words = GetParam();
  std::vector<Word> storage = some_rows(500, words);
  RowSorter sorter(words);
  const std::size_t left = sorter.sort_unique(storage.data(), 500);
  const States rows(storage.data(), left, words);
  ASSERT_GT(left, 1u);
  for (std::size_t i = 1; i < left; ++i) EXPECT_TRUE(less(rows[i - 1], rows[i]));
}

INSTANTIATE_TEST_SUITE_P(Words, RowOrder, testing::Values(1, 2, 3, 4, 5, 18));

}  // namespace
}  // namespace spillway
