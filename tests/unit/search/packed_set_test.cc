// Rows keep their numbers, whatever form they get, and levels have the rows that were inserted.
#include "search/ram/packed_set.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace spillway {
namespace {

using Random = std::mt19937_64;
using Row = std::vector<Word>;

constexpr unsigned kHands = 2;

RamSettings few() {
  RamSettings settings;
  settings.first_homes = 1;
  settings.chunk_bytes = 200;
  settings.squeeze_rows = 20;
  return settings;
}

struct Twin {
  explicit Twin(std::size_t row_words) : words(row_words), set(budget, words, settings, kHands) {}

  // In most rows few bits differ.
  Row some_row(Random& random) const {
    Row row(words, 0x0123456789abcdefu);
    row[random() % words] ^= random() % 64;
    if (random() % 50 == 0) row[random() % words] ^= Word{1} << random() % 64;
    return row;
  }

  void insert(const Row& row, unsigned hand) {
    for (;;) {
      ASSERT_TRUE(set.ready(hand));
      std::uint64_t number = UINT64_MAX;
      const Insert done = set.insert(row.data(), PackedSet::hash(row.data(), words), hand, number);
      if (done == Insert::full) {
        ASSERT_TRUE(set.grow(crew));
        continue;
      }
      const auto [place, is_new] = numbers.emplace(row, number);
      ASSERT_EQ(done, is_new ? Insert::fresh : Insert::known);
      ASSERT_EQ(place->second, number);
      if (numbers.size() > set.comfortable_rows()) {
        ASSERT_TRUE(set.grow(crew));
      }
      return;
    }
  }

  std::set<Row> rows(std::span<const RowPool::Segment> segments) {
    std::set<Row> found;
    for (const RowPool::Segment& segment : segments)
      set.each_row(segment, 0, [&](States some) {
        for (const State row : some) EXPECT_TRUE(found.emplace(row.begin(), row.end()).second);
      });
    return found;
  }

  void compare() {
    for (const auto& [row, number] : numbers) {
      const State there = set.row(number, 0);
      ASSERT_EQ(Row(there.begin(), there.end()), row);
      ASSERT_EQ(set.number_of(row.data(), 1), number);
    }
  }

  const std::size_t words;
  const RamSettings settings = few();
  Budget budget{std::uint64_t{16} << 20};
  Crew crew{kHands};
  PackedSet set;
  std::map<Row, std::uint64_t> numbers;
};

class PackedSetOf : public testing::TestWithParam<std::size_t> {};

TEST_P(PackedSetOf, WordsKeepsNumbersOfRows) {
  Random random(GetParam());
  Twin twin(GetParam());
  std::vector<std::set<Row>> levels;
  for (int depth = 0; depth < 20; ++depth) {
    const std::map<Row, std::uint64_t> before = twin.numbers;
    for (int i = 0; i < 60; ++i)
      twin.insert(twin.some_row(random), static_cast<unsigned>(random() % kHands));
    std::set<Row>& level = levels.emplace_back();
    for (const auto& [row, number] : twin.numbers)
      if (!before.contains(row)) level.insert(row);
    ASSERT_EQ(twin.rows(twin.set.open_rows()), level);
    twin.set.close_level();
    twin.compare();
  }
  ASSERT_EQ(twin.set.levels(), levels.size());
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    ASSERT_EQ(twin.rows(twin.set.level(depth)), levels[depth]) << "level " << depth;
  }
}

INSTANTIATE_TEST_SUITE_P(PackedSet, PackedSetOf, testing::Values(1, 2, 3, 5, 9));

// What a form saves shows in the memory that is drawn.
TEST(PackedSet, StoresWhatDiffers) {
  Twin twin(20);
  for (Word i = 0; i < 3000; ++i) {
    Row row(20, 7);
    row[3] = i;
    twin.insert(row, 0);
  }
  EXPECT_LT(twin.budget.used(), 3000 * 20 * sizeof(Word) / 3);
}

}  // namespace
}  // namespace spillway
