// Linear hash-sorting, cached duplicate detection and dynamic path management of Wu et al., by
// themselves: what algorithms 1 to 3 promise, and what they do not keep as printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "papers/cycles/cached_detection.h"
#include "papers/cycles/dynamic_path.h"
#include "papers/cycles/hash_sorted_table.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

using Hashes = std::vector<Word>;

// Stores of small rows.
struct Room {
  explicit Room(std::size_t rows_per_block)
      : store(disk, budget, {1, 1}, {.block_bytes = 4096, .rows_per_block = rows_per_block}) {}
  MemoryDisk disk;
  Budget budget{std::uint64_t{64} << 20};
  Store store;
};

// Records of a hash and a state; the state is the hash, as in the tables of the paper.
std::vector<Word> records(const Hashes& hashes) {
  std::vector<Word> all;
  for (const Word hash : hashes) all.insert(all.end(), {hash, hash});
  return all;
}

Hashes hashes_of(HashSortedTable& table) {
  Hashes all;
  for (std::uint64_t i = 0; i < table.size(); ++i) all.push_back(table.record(i)[0]);
  return all;
}

Hashes merged(const Hashes& a, const Hashes& b) {
  Hashes all;
  std::ranges::merge(a, b, std::back_inserter(all));
  return all;
}

// `count` numbers from `first` to `last`, about equally far apart.
Hashes spread(Word first, Word last, std::size_t count) {
  Hashes all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(first + (last - first) * i / (count - 1));
  return all;
}
Hashes operator+(Hashes a, const Hashes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Algorithm 1 as it is printed, on arrays.  Calls `after_block` after each iteration.
template <class AfterBlock>
Hashes merge_as_printed(Hashes Q, Hashes table, std::size_t B, AfterBlock after_block) {
  constexpr Word kEmpty = 0;
  const std::size_t n = table.size();
  table.resize(n + Q.size(), kEmpty);
  std::size_t i = n + Q.size(), j = 0;
  do {
    const auto first = table.begin() + static_cast<std::ptrdiff_t>(n - (j + 1) * B);
    const Hashes Q1(first, first + static_cast<std::ptrdiff_t>(B));
    std::fill_n(first, B, kEmpty);
    const auto from = std::ranges::lower_bound(Q, Q1.front());
    const Hashes both = merged(Q1, {from, Q.end()});
    std::ranges::copy(both, table.begin() + static_cast<std::ptrdiff_t>(i - both.size()));
    Q.erase(from, Q.end());
    i -= both.size();
    after_block(Q, table);
  } while (!Q.empty() && ++j < n / B);
  return table;
}

// Tables I and II: 1000 states in memory, 100 states in a block. "4010" in table II is 4410.
const Hashes kInMemory = spread(3561, 4402, 600) + spread(4410, 5834, 400);
const Hashes kOnDisk = spread(2101, 4406, 900) + spread(4409, 5833, 100);

TEST(LinearHashSorting, TablesOneAndTwo) {
  ASSERT_EQ(kInMemory.size(), 1000U);
  bool first = true;
  const Hashes printed =
      merge_as_printed(kInMemory, kOnDisk, 100, [&](const Hashes& Q, const Hashes& table) {
        if (!std::exchange(first, false)) return;
        EXPECT_EQ(Q.front(), 3561U);  // table II (a)
        EXPECT_EQ(Q.back(), 4402U);
        EXPECT_EQ(table.front(), 2101U);  // table II (b)
        EXPECT_EQ(table[899], 4406U);
        EXPECT_EQ(table[900], 0U);
        EXPECT_EQ(table[1500], 4409U);
        EXPECT_EQ(table[1501], 4410U);
        EXPECT_EQ(table.back(), 5834U);
      });
  Room room(100);
  HashSortedTable table(room.store);
  table.insert(records(kOnDisk).data(), kOnDisk.size());
  table.insert(records(kInMemory).data(), kInMemory.size());
  EXPECT_EQ(hashes_of(table), merged(kOnDisk, kInMemory));  // table II (c)
  EXPECT_EQ(hashes_of(table), printed);
}

TEST(LinearHashSorting, KeepsWhatAlgorithmOneLosesAsPrinted) {
  const Hashes table = {10, 20, 30, 40}, below_all = {1, 2, 25};
  const auto ignore = [](const Hashes&, const Hashes&) {};
  EXPECT_NE(merge_as_printed(below_all, table, 2, ignore), merged(table, below_all));
  for (const std::size_t block : {1U, 2U, 3U, 5U, 100U}) {  // with short blocks
    Room room(block);
    HashSortedTable kept(room.store);
    kept.insert(records(table).data(), table.size());
    kept.insert(records(below_all).data(), below_all.size());
    EXPECT_EQ(hashes_of(kept), merged(table, below_all));
  }
}

TEST(LinearHashSorting, HoldsLemmaOne) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 300; ++i) {
    const std::size_t B = 1 + random() % 7;
    Room room(B);
    HashSortedTable table(room.store);
    Hashes all;
    for (int k = 0; k < 4; ++k) {
      Hashes more;
      for (std::uint64_t m = 1 + random() % 20; m > 0; --m) more.push_back(random() % 60);
      std::ranges::sort(more);
      const std::uint64_t n = table.size(), m = more.size();
      const std::uint64_t before = table.read_blocks() + table.written_blocks();
      table.insert(records(more).data(), m);
      const std::uint64_t transfers = table.read_blocks() + table.written_blocks() - before;
      EXPECT_LE(transfers, (m + 2 * n) / B + 2) << "m=" << m << " n=" << n << " B=" << B;
      all = merged(all, more);
      ASSERT_EQ(hashes_of(table), all);
    }
  }
}

TEST(LinearHashSorting, LeavesWhatIsBelowAllNewRecords) {
  const Hashes table = spread(0, 99, 100), above_all = {200};
  Room room(2);
  HashSortedTable kept(room.store);
  kept.insert(records(table).data(), table.size());
  const std::uint64_t before = kept.read_blocks() + kept.written_blocks();
  kept.insert(records(above_all).data(), 1);
  EXPECT_LE(kept.read_blocks() + kept.written_blocks() - before, 2U);
  EXPECT_EQ(hashes_of(kept), merged(table, above_all));
}

TEST(LinearHashSorting, FindsStatesThatShareAHash) {
  for (const std::size_t block : {1U, 2U, 3U}) {
    Room room(block);
    HashSortedTable table(room.store);
    const std::vector<Word> same = {7, 1, 7, 2, 7, 3, 7, 4, 7, 5, 8, 1};
    table.insert(same.data(), 6);
    for (Word state = 0; state < 8; ++state) {
      const Word seven[] = {7, state}, eight[] = {8, state}, nine[] = {9, state};
      EXPECT_EQ(table.contains(seven), state >= 1 && state <= 5) << state;
      EXPECT_EQ(table.contains(eight), state == 1) << state;
      EXPECT_FALSE(table.contains(nine));
    }
  }
}

TEST(CachedDetection, KnowsEverythingThatItForgot) {
  std::mt19937_64 random(2);
  for (const std::uint64_t recent : {1U, 8U, 50U}) {
    Room room(3);
    CachedDetection detection(room.store, {.recent = recent, .rho = 0.3});
    std::set<Word> expected;
    for (int i = 0; i < 1500; ++i) {
      const Word state = random() % 500;
      EXPECT_EQ(detection.contains({&state, 1}), expected.contains(state));
      EXPECT_EQ(detection.insert({&state, 1}), expected.insert(state).second);
    }
    EXPECT_EQ(detection.size(), expected.size());
    EXPECT_GT(detection.counts().merges, 0U);
    EXPECT_LT(detection.counts().in_memory, detection.counts().lookups);
  }
}

// Stack operations against two vectors.
TEST(DynamicPath, IsTwoStacks) {
  std::mt19937_64 random(3);
  for (const std::uint64_t size : {1U, 2U, 4U, 20U})
    for (const double rho : {0.1, 0.9, 1.0}) {
      Room room(2);
      DynamicPath path(room.store, size, rho);
      std::vector<std::pair<Word, Word>> expected[2];
      for (int i = 0; i < 2000; ++i) {
        const auto stack = random() % 3 == 0 ? DynamicPath::inner : DynamicPath::outer;
        auto& same = expected[stack];
        ASSERT_EQ(path.size(stack), same.size());
        if (same.empty() || random() % 100 < (i / 200 % 2 == 0 ? 65 : 35)) {
          const Word key = random();
          path.push(stack, {&key, 1}, 0);
          same.emplace_back(key, 0);
          continue;
        }
        path.top(stack)[1] = same.back().second = random();
        ASSERT_EQ(path.top(stack)[0], same.back().first);
        ASSERT_EQ(path.top(stack)[1], same.back().second);
        if (random() % 2 == 0) continue;
        path.pop(stack);
        same.pop_back();
      }
      const std::vector<std::vector<Word>> taken = path.take(DynamicPath::outer);
      ASSERT_EQ(taken.size(), expected[DynamicPath::outer].size());
      for (std::size_t i = 0; i < taken.size(); ++i)
        EXPECT_EQ(taken[i][0], expected[DynamicPath::outer][i].first);
    }
}

// A path that swings over the border between memory and disk must not move its entries each time.
TEST(DynamicPath, DoesNotSwingOverTheBorder) {
  constexpr std::uint64_t kRoom = 100, kSwings = 1000;
  for (const double rho : {0.75, 0.9, 1.0})
    for (std::uint64_t swing = 2; swing < kRoom / 4; swing += 3) {
      Room room(10);
      DynamicPath path(room.store, kRoom, rho);
      const auto move = [&path](std::uint64_t pops, std::uint64_t pushes) {
        const Word key = 1;
        for (; pops > 0; --pops) path.pop(DynamicPath::outer);
        for (; pushes > 0; --pushes) path.push(DynamicPath::outer, {&key, 1}, 0);
      };
      move(0, 3 * kRoom);
      while (path.counts().spills < 4) move(0, 1);
      for (std::uint64_t k = 0; k < kSwings; ++k) {
        move(swing, 2 * swing);
        move(swing, 0);
      }
      EXPECT_LE(path.counts().moved, 8 * kRoom) << "rho=" << rho << ", swings of " << swing;
    }
}

// Lemma 2: a search that goes down and comes back moves each entry a constant number of times.
TEST(DynamicPath, MovesEachEntryOnceEachWay) {
  constexpr std::uint64_t kDeep = 20'000;
  Room room(10);
  DynamicPath path(room.store, 50, 0.9);
  for (Word key = 0; key < kDeep; ++key) path.push(DynamicPath::outer, {&key, 1}, 0);
  for (Word key = kDeep; key-- > 0; path.pop(DynamicPath::outer))
    ASSERT_EQ(path.top(DynamicPath::outer)[0], key);
  EXPECT_LE(path.counts().moved, 2 * kDeep);
  EXPECT_EQ(path.counts().deepest, kDeep);
}

}  // namespace
}  // namespace spillway
