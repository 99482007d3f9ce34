#include "storage/runs/merge_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cases.h"
#include "storage/runs/run_set.h"
#include "unit/storage/sorted_rows.h"

namespace spillway {
namespace {

// How many marks begin with each sequence of bits: exactly one, if it is a code.
void expect_a_code(const std::vector<std::uint64_t>& rows) {
  const MarkCode code(rows);
  double room = 0;
  for (std::size_t mark = 0; mark < rows.size(); ++mark) {
    const MarkCode::Word word = code.of(static_cast<std::uint8_t>(mark));
    ASSERT_GE(word.length, 1U);
    ASSERT_LE(word.length, MarkCode::kLongest);
    room += 1.0 / static_cast<double>(1U << word.length);
    const MarkCode::Meaning meaning = code.meanings()[word.bits];
    EXPECT_EQ(meaning.mark, mark);
    EXPECT_EQ(meaning.length, word.length);
  }
  EXPECT_EQ(room, 1.0);
}

TEST(MarkCode, IsACodeWhateverTheSizes) {
  expect_a_code({1, 1});
  expect_a_code({0, 0, 0});
  expect_a_code({std::uint64_t{1} << 60, 1, 0});
  std::vector<std::uint64_t> growing{1, 1};
  while (growing.size() < MarkCode::kMostMarks)
    growing.push_back(growing[growing.size() - 1] + growing[growing.size() - 2]);
  expect_a_code(growing);
  expect_a_code(std::vector<std::uint64_t>(MarkCode::kMostMarks, 5));
}

TEST(MarkCode, FrequentMarksAreShort) {
  const MarkCode code(std::vector<std::uint64_t>{10, 1000, 20});
  EXPECT_EQ(code.of(1).length, 1U);
  EXPECT_EQ(code.of(0).length, 2U);
}

// Adds levels to a set of runs and finds them again, whatever was merged meanwhile.
template <std::size_t W>
class Levels {
 public:
  Levels(std::uint64_t seed, std::size_t words)
      : random_(seed),
        shape_{words, 1 + random_() % 5, 1 + random_() % 3, true},
        store_(budget_, disk_, 50, shape_.most_bytes(), random_() % 2 == 0 ? 0 : budget_.limit()),
        crew_(1 + static_cast<unsigned>(random_() % 3)),
        team_(crew_, store_, shape_,
              {.threads = crew_.size(),
               .merge_rows = 1 + random_() % 50,
               .sort_rows = 100,
               .parts = 1 + random_() % 3,
               .alone_rows = random_() % 10,
               .reserve_bytes = budget_.limit()},
              [] {}),
        history_(store_),
        set_(team_, {2 + random_() % 3, 1 + random_() % 5}, &history_) {}

  void add() {
    SortedRows rows;
    for (const SortedRow& row : some_rows(random_, shape_.words, 80))
      if (all_.insert(row).second) rows.insert(row);
    SortedRun<W> run = write_run<W>(store_, shape_, rows);
    const bool marked = random_() % 4 != 0;
    run.set_label(history_.begin_level(marked));
    EXPECT_EQ(history_.has(levels_.size()), marked);
    set_.add(std::move(run));
    levels_.push_back(std::move(rows));
  }

  void expect_all() {
    std::vector<SortedRun<W>> runs = set_.take_runs();
    if (random_() % 2 == 0)
      for (SortedRun<W>& run : runs) run.to_disk(store_);
    for (std::uint64_t level = 0; level < levels_.size(); ++level) {
      SortedRows found;
      std::size_t count = 0;
      for (const SortedRun<W>& run : runs) count += find(run, level, found);
      if (!history_.has(level)) {
        EXPECT_EQ(count, 0U);
      } else {
        EXPECT_EQ(found, levels_[level]);
        EXPECT_EQ(count, levels_[level].size());
      }
    }
  }

 private:
  std::size_t find(const SortedRun<W>& run, std::uint64_t level, SortedRows& found) {
    LevelFinder finder(history_, run.label(), level);
    if (!finder.any()) return 0;
    std::size_t count = 0;
    std::vector<Word> rows(shape_.rows * shape_.words);
    BlockUnpacker<W> unpacker(shape_);
    each_block(run, 0, run.blocks(), store_.buffers(), 1, unpacker, rows, [&](States states) {
      for (const State state : states) {
        if (!finder.next()) continue;
        found.insert(SortedRow(state.begin(), state.end()));
        ++count;
      }
    });
    return count;
  }

  std::mt19937_64 random_;
  Budget budget_{std::uint64_t{64} << 20};
  MemoryDisk disk_;
  const BlockShape shape_;
  ChunkStore store_;
  Crew crew_;
  Team<W> team_;
  MergeHistory history_;
  RunSet<W> set_;
  SortedRows all_;
  std::vector<SortedRows> levels_;
};

template <std::size_t W>
void expect_levels_are_found(std::size_t words) {
  for (std::uint64_t seed = 0; seed < 100; seed += step_of_all(5)) {
    SCOPED_TRACE(seed);
    Levels<W> levels(seed, words);
    for (std::uint64_t i = 0; i < seed % 37; ++i) levels.add();
    levels.expect_all();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MergeHistory, FindsAllRowsOfALevel) {
  expect_levels_are_found<1>(1);
  if (take_all()) expect_levels_are_found<2>(2);
  if (take_all()) expect_levels_are_found<3>(3);
  expect_levels_are_found<0>(7);
}

}  // namespace
}  // namespace spillway
