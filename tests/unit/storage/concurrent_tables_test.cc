// Threads that insert the same rows at the same time: each row is fresh for exactly one of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>

#include "unit/storage/long_rows.h"
#include "unit/storage/short_rows.h"

namespace spillway {
namespace {

constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;

template <std::size_t W>
class ShortUnderTest {
 public:
  static constexpr std::size_t kWords = W;
  ShortUnderTest(Crew& crew, std::size_t homes) : crew_(crew), table_(budget_, homes) {}
  Insert insert(unsigned worker, const Word* row) {
    return table_.insert(row, place_hash(row, W), static_cast<Tag>(worker + 1));
  }
  bool grow() { return table_.grow(crew_); }

 private:
  Budget budget_{kBudget};
  Crew& crew_;
  ShortRowTable<W> table_;
};

class LongUnderTest {
 public:
  static constexpr std::size_t kWords = 3;
  LongUnderTest(Crew& crew, std::size_t homes)
      : crew_(crew), table_(budget_, pool_, kWords, homes) {
    for (unsigned i = 0; i < crew.size(); ++i)
      writers_.push_back(std::make_unique<RowPool::Writer>(pool_));
  }
  Insert insert(unsigned worker, const Word* row) {
    EXPECT_TRUE(writers_[worker]->ready());
    return table_.insert(row, place_hash(row, kWords), *writers_[worker]);
  }
  bool grow() {
    std::vector<RowPool::Segment> stored;
    for (const auto& writer : writers_) writer->peek(stored);
    return table_.grow(crew_, stored);
  }

 private:
  Budget budget_{kBudget};
  Crew& crew_;
  RowPool pool_{budget_, kWords, 100};
  LongRowTable table_;
  std::vector<std::unique_ptr<RowPool::Writer>> writers_;
};

// Different rows that have most words in common.
template <std::size_t W>
std::vector<std::array<Word, W>> crowd(std::size_t count) {
  std::vector<std::array<Word, W>> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    rows[i].fill(0);
    if (W == 1)
      rows[i][0] = i;
    else
      rows[i][0] = i % 10, rows[i][W - 1] = i / 10;
  }
  return rows;
}

template <class Table>
class ConcurrentTable : public testing::Test {
 protected:
  static constexpr std::size_t W = Table::kWords;

  // All threads insert all rows, each in its own order, and stop for growth when somebody finds no
  // room.
  void insert_all(unsigned threads, std::size_t homes, std::size_t count) {
    const std::vector<std::array<Word, W>> rows = crowd<W>(count);
    Crew crew(threads);
    Table table(crew, homes);
    std::vector<std::atomic<unsigned>> fresh(count);
    std::vector<std::vector<std::size_t>> order(threads, std::vector<std::size_t>(count));
    std::vector<std::size_t> done(threads, 0);
    for (unsigned w = 0; w < threads; ++w) {
      std::iota(order[w].begin(), order[w].end(), std::size_t{0});
      // Half of them go the same way, so that they meet at the same rows.
      if (w % 2 == 1) std::shuffle(order[w].begin(), order[w].end(), std::mt19937_64(w));
    }
    std::atomic<bool> crowded{true};
    while (crowded) {
      crowded = false;
      crew.each([&](unsigned w) {
        for (std::size_t& i = done[w]; i < count && !crowded.load(std::memory_order_relaxed); ++i) {
          const Insert answer = table.insert(w, rows[order[w][i]].data());
          if (answer == Insert::full) return crowded.store(true);
          if (answer == Insert::fresh) ++fresh[order[w][i]];
        }
      });
      ASSERT_TRUE(!crowded || table.grow());
    }
    std::size_t wrong = 0;
    for (const auto& times : fresh) wrong += times != 1 ? 1U : 0U;
    EXPECT_EQ(wrong, 0U) << "rows that were fresh for nobody or for several";
    for (const auto& row : rows) ASSERT_EQ(table.insert(0, row.data()), Insert::known);
  }
};
using Tables = testing::Types<ShortUnderTest<1>, ShortUnderTest<2>, LongUnderTest>;
TYPED_TEST_SUITE(ConcurrentTable, Tables);

TYPED_TEST(ConcurrentTable, EachRowIsFreshOnceInALargeTable) {
  for (const unsigned threads : {2U, 4U, 8U}) this->insert_all(threads, 5000, 20000);
}

TYPED_TEST(ConcurrentTable, EachRowIsFreshOnceInATableThatGrows) {
  for (const unsigned threads : {2U, 3U, 8U}) this->insert_all(threads, 1, 10000);
}

TYPED_TEST(ConcurrentTable, EachRowIsFreshOnceWhenAllMeetInTheSameBuckets) {
  for (int round = 0; round < 300; ++round) this->insert_all(4, 1, 14);
}

}  // namespace
}  // namespace spillway
