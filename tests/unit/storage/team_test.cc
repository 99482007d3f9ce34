#include "storage/runs/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "storage/runs/run_set.h"
#include "unit/caught.h"
#include "unit/storage/sorted_rows.h"

namespace spillway {
namespace {

TEST(ShareOut, EveryTaskOnceOnAtMostSoManyThreads) {
  Crew crew(3);
  for (const std::uint64_t threads : {1, 2, 3, 100}) {
    std::vector<std::atomic<int>> times(500);
    share_out(crew, times.size(), threads, [&](unsigned thread, std::size_t i) {
      EXPECT_LT(thread, std::min<std::uint64_t>(threads, 3));
      ++times[i];
    });
    for (const std::atomic<int>& count : times) ASSERT_EQ(count, 1);
  }
}

TEST(ShareOut, OneThreadIsTheCallingOne) {
  Crew crew(3);
  const std::thread::id me = std::this_thread::get_id();
  for (const std::uint64_t threads : {0, 1})
    share_out(crew, 10, threads, [&](unsigned thread, std::size_t /*i*/) {
      EXPECT_EQ(thread, 0);
      EXPECT_EQ(std::this_thread::get_id(), me);
    });
}

TEST(ShareOut, AFailureEndsIt) {
  Crew crew(2);
  for (const std::uint64_t threads : {1, 2}) {
    std::atomic<std::size_t> done{0};
    EXPECT_THROW(share_out(crew, 1'000'000, threads,
                           [&](unsigned /*thread*/, std::size_t i) {
                             if (i == 10) throw std::runtime_error("stop");
                             ++done;
                             std::this_thread::yield();
                           }),
                 std::runtime_error);
    EXPECT_LT(done, 999'999);
  }
}

class TeamTest : public testing::Test {
 protected:
  std::unique_ptr<Team<3>> team(TeamSizes sizes) {
    return std::make_unique<Team<3>>(crew, store, shape, sizes, [this] { poll(); });
  }

  const BlockShape shape{3, 4, 2, true};
  Budget budget{1 << 20};
  MemoryDisk disk;
  ChunkStore store{budget, disk, 50, shape.most_bytes(), 0};
  Crew crew{3};
  std::function<void()> poll = [] {};
};

TEST_F(TeamTest, ScratchOfEachThreadIsDrawnFromTheBudget) {
  const std::uint64_t before = budget.used();
  std::uint64_t last = before;
  for (const std::size_t threads : {1, 2, 3}) {
    const auto some = team({.threads = threads, .merge_rows = 1000, .sort_rows = 2000});
    EXPECT_EQ(some->size(), threads);
    // rows of three words, and a key with the number of its row for each that is sorted
    EXPECT_GE(budget.used(), last + 1000 * 24 + 2000 * 16);
    last = budget.used();
  }
  EXPECT_EQ(budget.used(), before);
  EXPECT_EQ(caught([&] { team({.threads = 3, .merge_rows = 20000}); }).value().fault(),
            Fault::memory);
  EXPECT_EQ(budget.used(), before);
}

TEST_F(TeamTest, FewRowsAreForOneThread) {
  const auto three = team({.threads = 3, .parts = 4, .alone_rows = 10});
  EXPECT_EQ(three->parts(10), 1);
  EXPECT_EQ(three->parts(11), 12);
  for (const std::uint64_t rows : {10, 11}) {
    std::mutex mutex;
    std::set<unsigned> who;
    std::atomic<int> waiting{0};
    three->share_out(3, rows, [&](const Team<3>::Member& member, std::size_t /*i*/) {
      if (rows == 11)
        for (++waiting; waiting < 3;) std::this_thread::yield();  // each has its thread
      const std::lock_guard lock(mutex);
      who.insert(member.number);
    });
    EXPECT_EQ(who.size(), rows == 10 ? 1 : 3);
  }
}

TEST_F(TeamTest, ThreadsThatHaveMemory) {
  const auto three = team({.threads = 3, .reserve_bytes = 160});
  EXPECT_EQ(three->certain_bytes(), 150);
  EXPECT_EQ(three->threads_with(50), 3);
  EXPECT_EQ(three->threads_with(51), 2);
  EXPECT_EQ(three->threads_with(1000), 1);
  const Claim ballast(budget, budget.left() - 32);
  EXPECT_EQ(three->certain_bytes(), 30);
}

TEST_F(TeamTest, OnlyTheCallingThreadPolls) {
  const auto three = team({.threads = 3, .alone_rows = 0});
  const std::thread::id me = std::this_thread::get_id();
  std::atomic<int> polls{0};
  poll = [&] {
    EXPECT_EQ(std::this_thread::get_id(), me);
    ++polls;
  };
  std::atomic<int> waiting{0};
  three->share_out(3, 1, [&](const Team<3>::Member& member, std::size_t /*i*/) {
    for (++waiting; waiting < 3;) std::this_thread::yield();  // each has its thread
    three->poll(member);
  });
  EXPECT_EQ(polls, 1);
}

TEST_F(TeamTest, WhatPollThrowsEndsAMerge) {
  struct Stop {};
  const auto one = team(
      {.threads = 1, .merge_rows = 4, .sort_rows = 100, .alone_rows = 0, .reserve_bytes = 1 << 20});
  std::mt19937_64 random(1);
  const SortedRun<3> run = write_run<3>(store, shape, some_rows(random, 3, 500));
  MergeSources<3> sources;
  sources.runs.push_back(&run);
  EXPECT_EQ(merge_runs(*one, sources).size(), run.size());
  poll = [] { throw Stop(); };
  EXPECT_THROW(merge_runs(*one, sources), Stop);
}

}  // namespace
}  // namespace spillway
