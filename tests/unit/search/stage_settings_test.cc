#include "search/runs/stage_settings.h"

#include <gtest/gtest.h>

#include "base/memory/budget.h"

namespace spillway {
namespace {

constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;

TEST(StageSettings, WhetherMemoryIsEnoughDoesNotDependOnThreads) {
  for (const std::size_t words : {1, 2, 5, 18, 47, 400, 2000, 8192}) {
    const std::uint64_t least = least_bytes({}, {words, words, 1, 0, std::nullopt});
    for (const std::size_t threads : {1, 2, 3, 4, 16, 256}) {
      for (const std::uint64_t bytes : {least, least + least / 3, 3 * least, 50 * least}) {
        const StageSubject subject{words, words, threads, bytes, std::nullopt};
        const SortedRunsSettings settings = stage_settings({}, subject, bytes);
        EXPECT_GE(settings.threads, 1U)
            << words << " words, " << threads << " threads, " << bytes << " bytes";
        EXPECT_LE(settings.threads, threads);
        EXPECT_GE(settings.candidate_rows, 64U);
        EXPECT_LT(hand_over_bytes({}, subject), bytes);
      }
      EXPECT_EQ(
          stage_settings({}, {words, words, threads, least / 2, std::nullopt}, least / 2).threads,
          0U);
    }
  }
}

TEST(StageSettings, AllThreadsHaveRoomWhereThereIsMuchMemory) {
  for (const std::size_t words : {1, 5, 47, 400})
    EXPECT_EQ(
        stage_settings({}, {words, words, 8, 1024 * kMebi, std::nullopt}, 1024 * kMebi).threads, 8U)
        << words;
}

// 10^12 states take up to 6 TB, and a chunk some 70 bytes of its index (storage/runs/run_index.h).
TEST(StageSettings, IndexesOfATrillionStatesAreSmallBesideTheMemory) {
  for (const std::uint64_t memory : {16 * 1024 * kMebi, 64 * 1024 * kMebi}) {
    const SortedRunsSettings settings = stage_settings({}, {2, 2, 2, memory, std::nullopt}, memory);
    const double index = 6e12 / static_cast<double>(settings.chunk_bytes) * 70;
    EXPECT_LT(index, 0.03 * static_cast<double>(memory));
  }
}

// What the pages of the manual say of the least memory.
TEST(StageSettings, UsualRowsNeedLittle) {
  EXPECT_LT(least_bytes({}, {1, 1, 1, 0, std::nullopt}), 2 * kMebi);
  EXPECT_LT(least_bytes({}, {400, 400, 1, 0, std::nullopt}), 8 * kMebi);
  EXPECT_LT(least_bytes({}, {8192, 8192, 1, 0, std::nullopt}), 24 * kMebi);
}

}  // namespace
}  // namespace spillway
