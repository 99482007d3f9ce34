#include "papers/states/locality.h"

#include <gtest/gtest.h>

#include <set>

namespace spillway {
namespace {

constexpr std::uint64_t kRows = 95;  // ten blocks, the newest of five rows
LocalitySettings ten_blocks() {
  LocalitySettings settings;
  settings.block_rows = 10;
  return settings;
}

// Checks that delete `candidates` by the block of one age, if it is read; how often that block was
// read.
unsigned reads_of(Locality& locality, std::size_t age, unsigned checks, std::uint64_t candidates,
                  std::size_t useful_age) {
  unsigned reads = 0;
  for (unsigned i = 0; i < checks; ++i) {
    for (const Locality::Slice& slice : locality.choose(kRows, false)) {
      if (!locality.calibrating() && slice.age == age) ++reads;
      locality.deleted(slice, slice.age == useful_age ? candidates : 0);
    }
    locality.end_check();
  }
  return reads;
}

TEST(Locality, CutsTheFileIntoBlocksTheNewestFirst) {
  Locality locality(ten_blocks());
  const std::vector<Locality::Slice> slices = locality.choose(kRows, true);
  ASSERT_EQ(slices.size(), 10);
  std::uint64_t end = kRows;
  for (std::size_t age = 0; age < slices.size(); ++age) {
    EXPECT_EQ(slices[age].age, age);
    EXPECT_EQ(slices[age].last, end);
    EXPECT_EQ(slices[age].first, 10 * (9 - age));
    end = slices[age].first;
  }
}

TEST(Locality, CalibratesAgainAndAgain) {
  LocalitySettings settings = ten_blocks();
  settings.calibrate_every = 4;
  Locality locality(settings);
  for (unsigned i = 0; i < 40; ++i) {
    const std::size_t slices = locality.choose(kRows, i == 30).size();
    EXPECT_EQ(locality.calibrating(), i % 4 == 0 || i == 30) << i;
    if (locality.calibrating()) {
      EXPECT_EQ(slices, 10);
    }
    locality.end_check();
  }
}

TEST(Locality, TheNewestBlocksAreAlwaysRead) {
  Locality locality(ten_blocks());
  for (unsigned i = 0; i < 100; ++i) {
    const std::vector<Locality::Slice> slices = locality.choose(kRows, false);
    ASSERT_GE(slices.size(), 2);
    EXPECT_EQ(slices[0].age, 0);
    EXPECT_EQ(slices[1].age, 1);
    EXPECT_TRUE(slices[0].sampled && slices[1].sampled);
    for (const Locality::Slice& slice : slices) locality.deleted(slice, slice.age == 7 ? 5 : 0);
    locality.end_check();
  }
}

TEST(Locality, ABlockThatIsUsefulIsReadOftenAndOthersSeldom) {
  Locality useful(ten_blocks());
  EXPECT_GE(reads_of(useful, 6, 500, 100, 6), 300);  // of 450 that are no calibrations
  Locality useless(ten_blocks());
  EXPECT_LE(reads_of(useless, 5, 500, 100, 6), 50);
}

// What was useful long ago counts less than what is useful now.
TEST(Locality, ForgetsWhatWasUseful) {
  Locality locality(ten_blocks());
  reads_of(locality, 6, 200, 100, 6);
  reads_of(locality, 3, 100, 100, 3);
  EXPECT_LE(reads_of(locality, 6, 200, 100, 3), 60);
}

// Duplicates are all over the file: where a sample finds too few of them, the next one is larger.
TEST(Locality, SamplesGrowUntilTheyFindEnough) {
  const auto read = [](double wanted) {
    LocalitySettings settings = ten_blocks();
    settings.newest = 0;
    settings.wanted = wanted;
    Locality locality(settings);
    std::uint64_t slices = 0;
    for (unsigned i = 0; i < 1000; ++i) {
      for (const Locality::Slice& slice : locality.choose(kRows, false)) {
        if (i >= 500 && !locality.calibrating()) ++slices;
        locality.deleted(slice, 10);
      }
      locality.end_check();
    }
    return static_cast<double>(slices) / 4500;  // of those there are
  };
  EXPECT_GT(read(0.9), 0.8);
  EXPECT_LT(read(0.3), 0.5);
}

}  // namespace
}  // namespace spillway
