#include "storage/runs/run_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "cases.h"
#include "unit/caught.h"
#include "unit/storage/sorted_rows.h"

namespace spillway {
namespace {

SortedRows minus(const SortedRows& a, const SortedRows& b) {
  SortedRows rest;
  for (const SortedRow& row : a)
    if (!b.contains(row)) rest.insert(row);
  return rest;
}

void insert(States rows, SortedRows& to, std::size_t& count) {
  for (const State row : rows) {
    to.insert(SortedRow(row.begin(), row.end()));
    ++count;
  }
}

// Collects the rows of a merge, and the blocks.
class Collector final : public MergeObserver, public BlockKeeper {
 public:
  BlockKeeper* blocks() override { return this; }
  void rows(unsigned thread, States rows) override {
    const std::lock_guard lock(mutex_);
    open_[thread] = true;
    insert(rows, seen_, count_);
  }
  void end_part(unsigned thread) override {
    const std::lock_guard lock(mutex_);
    open_[thread] = false;
  }
  void keep(Bytes /*block*/) override {
    const std::lock_guard lock(mutex_);
    ++blocks_;
  }

  // Expects to have seen exactly these rows, each once, in parts that were ended.
  void expect(const SortedRows& rows) const {
    EXPECT_EQ(seen_, rows);
    EXPECT_EQ(count_, rows.size());
    EXPECT_EQ(std::count(std::begin(open_), std::end(open_), true), 0);
    EXPECT_EQ(blocks_ == 0, rows.empty());
  }

 private:
  std::mutex mutex_;
  SortedRows seen_;
  std::size_t count_ = 0;
  std::size_t blocks_ = 0;
  bool open_[8] = {};
};

// A set of runs and a set of rows to which the same is done.
template <std::size_t W>
class Twins {
 public:
  Twins(std::uint64_t seed, std::size_t words)
      : random_(seed),
        shape_{words, 1 + random_() % 5, 1 + random_() % 3, true},
        store_(budget_, disk_, 50, shape_.most_bytes(), pick({0, budget_.limit()})),
        crew_(1 + static_cast<unsigned>(random_() % 3)),
        team_(crew_, store_, shape_,
              {.threads = 1 + random_() % crew_.size(),
               .merge_rows = pick({1, 7, 100}),
               .sort_rows = 100,
               .chunks_ahead = 1 + random_() % 3,
               .parts = 1 + random_() % 3,
               .alone_rows = pick({0, 5, 100}),
               .reserve_bytes = pick({0, 30000, budget_.limit()})},
              [] {}),
        tiers_{2 + random_() % 3, 1 + random_() % 5},
        set_(team_, tiers_) {}

  void step() {
    const SortedRows rows = some_rows(random_, shape_.words, 60);
    set_.set_sources(random_() % 2 == 0 ? Sources::kept : Sources::spent);
    switch (random_() % 4) {
      case 0:
      case 1: add_new(rows); break;
      case 2: visit(); break;
      default: subtract(rows); break;
    }
    EXPECT_EQ(set_.size(), expected_.size());
  }

 private:
  std::uint64_t pick(std::initializer_list<std::uint64_t> from) {
    return from.begin()[random_() % from.size()];
  }

  // These rows, some of them twice, in runs of small blocks and in arrays.
  RowSources<W> sources(const SortedRows& rows) {
    BlockShape small = shape_;
    small.rows = 1 + random_() % small.rows;
    RowSources<W> all;
    arrays_.clear();
    arrays_.resize(random_() % 3);
    std::vector<SortedRows> parts(1 + random_() % 5 + arrays_.size());
    for (const SortedRow& row : rows)
      for (std::size_t i = 1 + random_() % 2; i > 0; --i)
        parts[random_() % parts.size()].insert(row);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i >= arrays_.size()) {
        all.runs.push_back(write_run<W>(store_, small, parts[i]));
        continue;
      }
      arrays_[i] = flat_words(parts[i]);
      all.arrays.emplace_back(arrays_[i].data(), parts[i].size(), shape_.words);
    }
    return all;
  }

  SortedRows read(const SortedRun<W>& run) {
    SortedRows rows;
    std::size_t count = 0;
    BlockUnpacker<W> unpacker(shape_);
    std::vector<Word> block(shape_.rows * shape_.words);
    each_block(run, 0, run.blocks(), store_.buffers(), 2, unpacker, block,
               [&](States some) { insert(some, rows, count); });
    EXPECT_EQ(count, rows.size());
    EXPECT_EQ(count, run.size());
    return rows;
  }

  SortedRun<W> subtract(const SortedRows& rows) {
    Collector seen;
    SortedRun<W> rest = set_.subtract(sources(rows), &seen);
    EXPECT_EQ(read(rest), minus(rows, expected_));
    seen.expect(minus(rows, expected_));
    return rest;
  }

  void add_new(const SortedRows& rows) {
    set_.add(subtract(rows));
    EXPECT_EQ(read(set_.newest()), minus(rows, expected_));
    expected_.insert(rows.begin(), rows.end());
    EXPECT_LE(set_.runs(), tiers_.most_runs + 1);
  }

  void visit() {
    std::vector<SortedRow> in_order;
    set_.each([&](States rows) {
      for (const State row : rows) in_order.emplace_back(row.begin(), row.end());
    });
    EXPECT_EQ(in_order, std::vector<SortedRow>(expected_.begin(), expected_.end()));
    std::mutex mutex;
    SortedRows rows;
    std::size_t count = 0;
    set_.each_in_parts([&](const typename Team<W>::Member& member, States some) {
      const std::lock_guard lock(mutex);
      EXPECT_LT(member.number, team_.size());
      insert(some, rows, count);
    });
    EXPECT_EQ(rows, expected_);
    EXPECT_EQ(count, expected_.size());
  }

  std::mt19937_64 random_;
  Budget budget_{8 << 20};
  MemoryDisk disk_;
  BlockShape shape_;
  ChunkStore store_;
  Crew crew_;
  Team<W> team_;
  const RunTiers tiers_;
  RunSet<W> set_;
  SortedRows expected_;
  std::vector<std::vector<Word>> arrays_;
};

template <std::size_t W>
void check(std::size_t words) {
  for (std::uint64_t seed = 1; seed <= cases(100); ++seed) {
    SCOPED_TRACE(testing::Message() << words << " words, seed " << seed);
    Twins<W> twins(seed, words);
    for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) twins.step();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RunSet, AgreesWithASetOneWord) { check<1>(1); }
TEST(RunSet, AgreesWithASetTwoWords) { check<2>(2); }
TEST(RunSet, AgreesWithASetThreeWords) { check<3>(3); }
TEST(RunSet, AgreesWithASetFiveWords) { check<0>(5); }

// A team of one whose budget has little left, and whose runs are on disk.
class LittleMemory : public testing::Test {
 protected:
  SortedRun<1> run(Word first, Word step) {
    SortedRows rows;
    for (Word i = 0; i < 40; ++i) rows.insert({first + i * step});
    return write_run<1>(store, shape, rows);
  }
  // Leaves `buffers` chunk buffers in the budget.
  Claim take_all_but(std::size_t buffers) {
    store.buffers().free_spare();
    return {budget, budget.left() - buffers * store.buffers().bytes()};
  }

  const BlockShape shape{1, 4, 2, true};
  Budget budget{8 << 20};
  MemoryDisk disk;
  ChunkStore store{budget, disk, 50, shape.most_bytes(), budget.limit()};
  Crew crew{1};
  Team<1> team{crew,
               store,
               shape,
               {.merge_rows = 4, .chunks_ahead = 1, .alone_rows = 0, .reserve_bytes = 8 << 20},
               [] {}};
};

TEST_F(LittleMemory, RunsOfTheSetAreMergedBeforeTheyAreSubtracted) {
  RunSet<1> set(team, {100, 100});
  for (Word i = 0; i < 30; ++i) set.append(run(i, 30));
  const Claim ballast = take_all_but(16);
  RowSources<1> from;
  from.runs.push_back(run(1190, 1));  // rows 1190 to 1229, of which ten are in the set
  EXPECT_EQ(set.subtract(std::move(from)).size(), 30);
  EXPECT_LT(set.runs(), 16);
  EXPECT_EQ(set.size(), 1200);
}

TEST_F(LittleMemory, SourcesAreMergedBeforeTheyAreCompared) {
  RunSet<1> set(team, {100, 100});
  for (Word i = 0; i < 3; ++i) set.append(run(i, 30));
  {
    RowSources<1> from;
    for (Word i = 0; i < 30; ++i) from.runs.push_back(run(i, 30));
    const Claim ballast = take_all_but(16);
    EXPECT_EQ(set.subtract(std::move(from)).size(), 27 * 40);
  }
  RowSources<1> from;
  for (Word i = 0; i < 30; ++i) from.runs.push_back(run(i, 30));
  const Claim ballast = take_all_but(16);
  EXPECT_EQ(merge_rows(team, std::move(from)).size(), 30 * 40);
}

TEST_F(LittleMemory, RunsAreMergedBeforeAllAreReadAtOnce) {
  RunSet<1> set(team, {100, 100});
  for (Word i = 0; i < 30; ++i) set.append(run(i, 30));
  const Claim ballast = take_all_but(16);
  Word next = 0;
  set.each([&](States rows) {
    for (const State row : rows) ASSERT_EQ(row[0], next++);
  });
  EXPECT_EQ(next, 1200);
  EXPECT_EQ(set.newest().size(), 40);
}

TEST_F(LittleMemory, WithoutAnyTheFailureIsThatOfMemory) {
  RunSet<1> set(team, {100, 100});
  set.append(run(0, 1));
  RowSources<1> from;
  from.runs.push_back(run(0, 2));
  const Claim ballast = take_all_but(1);
  EXPECT_EQ(caught([&] { set.subtract(std::move(from)); }).value().fault(), Fault::memory);
}

// The bytes on disk after two runs of a set have become one, over what they took before.
double growth(Sources sources) {
  const BlockShape shape{1, 4, 2, true};
  Budget budget{8 << 20};
  MemoryDisk disk;
  ChunkStore store{budget, disk, 50, shape.most_bytes(), budget.limit()};
  Crew crew{1};
  Team<1> team{crew, store, shape, {.merge_rows = 4, .reserve_bytes = 8 << 20}, [] {}};
  const auto on_disk = [&] {
    std::size_t bytes = 0;
    for (const std::string& name : disk.list()) bytes += disk.bytes(name).size();
    return static_cast<double>(bytes);
  };
  RunSet<1> set(team, {6, 100});
  set.set_sources(sources);
  for (const Word first : {0, 1}) {
    SortedRows rows;
    for (Word i = 0; i < 8000; ++i) rows.insert({first + 2 * i});
    set.append(write_run<1>(store, shape, rows));
  }
  const double before = on_disk();
  set.join_newest();
  EXPECT_EQ(set.newest().size(), 16000);
  return on_disk() / before;
}

TEST(SpentSources, LeaveTheirPlacesOnDiskToWhatIsWritten) {
  EXPECT_GT(growth(Sources::kept), 1.9);
  EXPECT_LT(growth(Sources::spent), 1.2);
}

// A row is written about once for each tier, and there are few runs.
TEST_F(LittleMemory, RunsOfATierAreMerged) {
  RunSet<1> set(team, {3, 100});
  for (Word i = 0; i < 200; ++i) {
    set.add(run(i * 40, 1));
    ASSERT_EQ(set.newest().size(), 40);
    ASSERT_LE(set.runs(), 1 + 2 * 6U) << i;
  }
  EXPECT_EQ(set.size(), 8000);
}

TEST_F(LittleMemory, ThereAreNeverMoreRunsThanAllowed) {
  RunSet<1> set(team, {50, 4});
  for (Word i = 0; i < 20; ++i) {
    set.add(run(i * 40, 1));
    ASSERT_LE(set.runs(), 5);
  }
}

TEST_F(LittleMemory, WhatIsTakenIsNoLongerThere) {
  RunSet<1> set(team, {6, 100});
  set.add(run(0, 1));
  set.add(run(100, 1));
  EXPECT_EQ(set.take_runs().size(), 2);
  EXPECT_EQ(set.size(), 0);
  EXPECT_EQ(set.runs(), 0);
}

TEST_F(LittleMemory, TheTwoNewestBecomeOne) {
  RunSet<1> set(team, {6, 100});
  for (Word i = 0; i < 3; ++i) set.add(run(i, 3));
  set.join_newest();
  EXPECT_EQ(set.runs(), 2);
  EXPECT_EQ(set.newest().size(), 80);
  EXPECT_EQ(set.size(), 120);
}

}  // namespace
}  // namespace spillway
