// Ranks of the rows that came last, against a map of all rows.
#include "passes/recent_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace spillway {
namespace {

using Row = std::vector<Word>;

// Rows come in batches.  What is found is right, and rows that are still there are mostly found.
void check(std::uint64_t seed, std::size_t words, std::size_t room) {
  std::mt19937_64 random(seed);
  Budget budget(64 << 20);
  const Node first = random() % 100;
  RecentNodes recent(budget, words, room, first);
  std::map<Row, Node> all;
  std::vector<Word> batch;
  std::uint64_t there = 0, found = 0;
  for (int turn = 0; turn < 40; ++turn) {
    batch.clear();
    const std::size_t most = 1 + random() % recent.room();
    std::size_t count = 0;
    for (std::size_t i = 0; i < most; ++i) {
      Row row(words, 7);
      row[random() % words] = random() % 2 == 0 ? random() : random() % 5000;
      if (!all.emplace(row, first + all.size()).second) continue;
      batch.insert(batch.end(), row.begin(), row.end());
      ++count;
    }
    recent.add({batch.data(), count, words});
    ASSERT_EQ(recent.end(), first + all.size());
    ASSERT_EQ(recent.begin(),
              std::max(first, recent.end() - std::min(recent.end(), recent.room())));
    for (const auto& [row, rank] : all) {
      const std::uint64_t hash = recent.hash(row.data());
      const Node seen = recent.find(row.data(), hash, recent.guess(hash));
      const bool is_there = rank >= recent.begin();
      if (is_there) {
        const State kept = recent.row(rank);
        ASSERT_EQ(Row(kept.begin(), kept.end()), row) << "seed " << seed;
      }
      there += is_there ? 1 : 0;
      found += seen != RecentNodes::kNone ? 1 : 0;
      if (seen == RecentNodes::kNone) continue;
      ASSERT_EQ(seen, rank) << "seed " << seed;
    }
    const Row other(words, ~Word{0});
    const std::uint64_t hash = recent.hash(other.data());
    ASSERT_EQ(recent.find(other.data(), hash, recent.guess(hash)), RecentNodes::kNone);
  }
  EXPECT_LE(found, there);
  EXPECT_GT(found, there * 9 / 10);
}

TEST(RecentNodes, AreThoseOfTheRows) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const std::size_t words : {1, 3})
      ASSERT_NO_FATAL_FAILURE(check(seed, words, 1 + seed * 20));
}

TEST(RecentNodes, NothingIsFoundBeforeTheFirst) {
  Budget budget(1 << 20);
  const RecentNodes recent(budget, 1, 100, 0);
  const Word zero = 0;  // as memory that was never written
  const std::uint64_t hash = recent.hash(&zero);
  EXPECT_EQ(recent.find(&zero, hash, recent.guess(hash)), RecentNodes::kNone);
}

}  // namespace
}  // namespace spillway
