// A ShortRowTable beside a std::map that it must agree with.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <mutex>
#include <random>
#include <vector>

#include "base/hash/hash.h"
#include "storage/table/short_row_table.h"

namespace spillway {

template <std::size_t W>
using ShortRow = std::array<Word, W>;

template <std::size_t W>
std::uint64_t hash_of(const ShortRow<W>& row) {
  return place_hash(row.data(), W);
}

template <std::size_t W>
Insert insert(ShortRowTable<W>& table, const ShortRow<W>& row, Tag tag = 1) {
  return table.insert(row.data(), hash_of<W>(row), tag);
}

// Rows whose words are less than `bound`: small bounds repeat rows, and words of rows.
template <std::size_t W>
ShortRow<W> random_row(std::mt19937_64& random, Word bound = ~Word{0}) {
  ShortRow<W> row;
  for (Word& word : row) word = random() % bound;
  return row;
}

// So many different rows whose home in a table of `homes` homes is `home`.
template <std::size_t W>
std::vector<ShortRow<W>> rows_with_home(std::size_t home, std::size_t homes, std::size_t count) {
  std::mt19937_64 random(home);
  std::vector<ShortRow<W>> rows;
  while (rows.size() < count) {
    const ShortRow<W> row = random_row<W>(random);
    if (place_of(hash_of<W>(row), homes) == home) rows.push_back(row);
  }
  return rows;
}

template <std::size_t W>
class ShortTwin {
 public:
  ShortTwin(Budget& budget, std::size_t homes) : table(budget, homes) {}

  ShortRowTable<W> table;
  std::map<ShortRow<W>, Tag> rows;

  // Inserts into both; what the table answers must be right.  False: the table is full.
  bool add(const ShortRow<W>& row, Tag tag = 1) {
    const Insert done = insert<W>(table, row, tag);
    const auto known = rows.find(row);
    if (known == rows.end() && done == Insert::full) return false;
    EXPECT_EQ(done, known == rows.end() ? Insert::fresh : Insert::known);
    rows.try_emplace(row, tag);
    return true;
  }
  void add_growing(Crew& crew, const ShortRow<W>& row, Tag tag = 1) {
    while (!add(row, tag)) ASSERT_TRUE(table.grow(crew));
  }

  // Every row is there, once, with its tag, and is found when it is inserted again.
  void expect_equal(Crew& crew) {
    std::mutex mutex;
    std::map<ShortRow<W>, Tag> seen;
    table.each(crew, [&](unsigned worker, Tag tag, State row) {
      const std::lock_guard lock(mutex);
      EXPECT_LT(worker, crew.size());
      ShortRow<W> copy;
      std::copy(row.begin(), row.end(), copy.begin());
      EXPECT_TRUE(seen.emplace(copy, tag).second) << "visited twice";
    });
    EXPECT_EQ(seen.size(), rows.size());
    EXPECT_TRUE(seen == rows);
    std::size_t lost = 0;
    for (const auto& [row, tag] : rows)
      lost += insert<W>(table, row, 99) != Insert::known ? 1U : 0U;
    EXPECT_EQ(lost, 0U);
  }
};

// Tests for both widths.
template <class Width>
class ShortTest : public testing::Test {
 protected:
  static constexpr std::size_t kWords = Width::value;
  Crew crew{2};
  std::mt19937_64 random{1};
};
using Widths =
    testing::Types<std::integral_constant<std::size_t, 1>, std::integral_constant<std::size_t, 2>>;

}  // namespace spillway
