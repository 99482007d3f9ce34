#include "base/process/crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <set>
#include <stdexcept>
#include <string>

namespace spillway {
namespace {

class CrewOf : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Size, CrewOf, testing::Values(1, 2, 8, 33),
                         testing::PrintToStringParamName());

TEST_P(CrewOf, EachRunsEveryWorkerOnce) {
  Crew crew(GetParam());
  EXPECT_EQ(crew.size(), GetParam());
  std::vector<std::atomic<int>> runs(GetParam());
  crew.each([&](unsigned worker) { ++runs.at(worker); });
  for (const auto& count : runs) EXPECT_EQ(count, 1);
}

// The barrier lets nobody through until all have arrived.
TEST_P(CrewOf, WorkersRunAtTheSameTimeOnThreadsOfTheirOwn) {
  Crew crew(GetParam());
  std::barrier all_here(static_cast<std::ptrdiff_t>(GetParam()));
  std::vector<std::thread::id> threads(GetParam());
  crew.each([&](unsigned worker) {
    all_here.arrive_and_wait();
    threads[worker] = std::this_thread::get_id();
  });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), GetParam());
}

TEST_P(CrewOf, ManyRounds) {
  Crew crew(GetParam());
  // not atomic: a round must see what the one before it wrote
  std::vector<std::uint64_t> sums(GetParam());
  std::uint64_t total = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    crew.each([&](unsigned worker) { sums[worker] += round; });
    total += round;
    ASSERT_EQ(sums.front(), total);
    ASSERT_EQ(sums.back(), total);
  }
}

TEST_P(CrewOf, ATaskThatThrowsIsNotTheLast) {
  Crew crew(GetParam());
  for (int round = 0; round < 50; ++round) {
    std::atomic<unsigned> ran{0};
    EXPECT_THROW(crew.each([&](unsigned) {
      ++ran;
      throw std::runtime_error("all of them");
    }),
                 std::runtime_error);
    EXPECT_EQ(ran, GetParam());
    ran = 0;
    EXPECT_NO_THROW(crew.each([&](unsigned) { ++ran; }));
    EXPECT_EQ(ran, GetParam());
  }
}

TEST_P(CrewOf, CanLeaveWithoutEverWorking) { const Crew crew(GetParam()); }

TEST(Crew, TheExceptionOfTheLowestWorkerIsThrown) {
  Crew crew(8);
  std::atomic<unsigned> ended{0};
  std::barrier thrown(2);
  std::string message;
  try {
    crew.each([&](unsigned worker) {
      if (worker == 6) {
        thrown.arrive_and_drop();  // first in time, but not in number
        throw std::runtime_error("6");
      }
      if (worker == 3) {
        thrown.arrive_and_wait();
        throw std::runtime_error("3");
      }
      ++ended;
    });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "3");
  EXPECT_EQ(ended, 6U) << "the others end their work first";
}

}  // namespace
}  // namespace spillway
