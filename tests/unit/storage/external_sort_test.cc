#include "storage/runs/external_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "cases.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;
struct Order {
  bool operator()(const Row& a, const Row& b) const {
    return below(a.data(), b.data(), Width<0>(a.size()));
  }
};

// Rows that repeat themselves, through a room of `room` rows, twice.
template <std::size_t W>
void check(std::uint64_t seed, std::size_t room) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", room " << room);
  std::mt19937_64 random(seed);
  const std::size_t words = W != 0 ? W : 3 + random() % 3;
  Budget budget(16 << 20);
  MemoryDisk disk;
  const BlockShape shape{words, 1 + random() % 5, 2, true};
  ChunkStore store(budget, disk, 50, shape.most_bytes(), random() % 2 == 0 ? 0 : budget.limit());
  ExternalSort<W> sort(budget, store, shape, room);
  for (int round = 0; round < 2; ++round) {
    std::set<Row, Order> expected;
    for (std::uint64_t i = random() % 200; i > 0; --i) {
      Row row(words);
      for (Word& word : row) word = random() % 7 * 0x2492492492492492;
      sort.add({row.data(), 1, words});
      expected.insert(std::move(row));
    }
    sort.settle();
    MergeSources<W> sources;
    sort.add_to(sources);
    EXPECT_LE(sort.rows_in_memory(), room);
    BlockUnpacker<W> unpacker(shape);
    ReadAhead ahead(store.buffers(), 2);
    RowMerge<W> merge(sources, unpacker, ahead, words, nullptr, nullptr);
    std::vector<Word> piece(RowMerge<W>::room(sources, 1) * words);
    std::vector<Row> sorted;
    while (const std::size_t count = merge.next(sort.sorter(), piece.data(), piece.size() / words))
      for (const State state : States(piece.data(), count, words))
        sorted.emplace_back(state.begin(), state.end());
    ASSERT_EQ(sorted, std::vector<Row>(expected.begin(), expected.end()));
    sort.clear();
  }
}

TEST(ExternalSort, AgreesWithASetWhateverTheRoom) {
  for (const std::size_t room : {1, 2, 3, 16, 1000})
    for (std::uint64_t seed = cases(100); seed > 0 && !testing::Test::HasFatalFailure(); --seed) {
      check<1>(seed, room);
      check<2>(seed, room);
      check<0>(seed, room);
    }
}

// Each run takes memory when they are merged.
TEST(ExternalSort, NeverHasManyRuns) {
  Budget budget(64 << 20);
  MemoryDisk disk;
  const BlockShape shape = BlockShape::of(1);
  ChunkStore store(budget, disk, 4000, shape.most_bytes(), budget.limit());
  ExternalSort<1> sort(budget, store, shape, 10);
  for (Word row = 0; row < 20000; ++row) {
    const Word far = row * 0x9e3779b97f4a7c15;
    sort.add({&far, 1, 1});
    MergeSources<1> sources;
    sort.add_to(sources);
    ASSERT_LE(sources.count(),
              // of 2,000 that were written: seven of each of four sizes, and what is in memory
              7 * 4 + 1);
  }
}

TEST(ExternalSort, SaysWhenItHasNoRoom) {
  Budget budget(4096);
  MemoryDisk disk;
  const BlockShape shape = BlockShape::of(1);
  ChunkStore store(budget, disk, 50, shape.most_bytes(), 0);
  EXPECT_EQ(caught([&] { ExternalSort<1>(budget, store, shape, 1000); }).value().fault(),
            Fault::usage);
}

TEST(ExternalSort, GivesItsMemoryBack) {
  Budget budget(1 << 20);
  MemoryDisk disk;
  const BlockShape shape = BlockShape::of(1);
  ChunkStore store(budget, disk, 50, shape.most_bytes(), 0);
  const std::uint64_t before = budget.left();
  ExternalSort<1> sort(budget, store, shape, 3);
  const Word rows[] = {5, 4, 3, 2, 1, 0};
  sort.add({rows, 6, 1});
  EXPECT_LT(budget.left(), before);
  sort.free();
  EXPECT_EQ(budget.left(), before);
}

}  // namespace
}  // namespace spillway
