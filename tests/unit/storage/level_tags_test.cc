#include "storage/table/level_tags.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

namespace spillway {
namespace {

// LevelTags beside what its owner keeps: the tag that is stored with the states of each level.
class TagsTwin {
 public:
  LevelTags tags;
  std::vector<Tag> stored;              // of each level
  std::vector<std::uint64_t> states{};  // of each level
  unsigned renamings = 0;

  void level(std::uint64_t count) {
    const LevelTags::Opened opened = tags.open_level();
    if (opened.renaming) {
      ++renamings;
      for (Tag& tag : stored) tag = (*opened.renaming)[tag];
    }
    stored.push_back(opened.tag);
    tags.close_level(count);
    states.push_back(count);
  }
  std::uint64_t total() const {
    return std::accumulate(states.begin(), states.end(), std::uint64_t{0});
  }

  // Every level is in exactly one interval, and its states carry the tag of that.
  void expect_consistent() const {
    const std::vector<LevelTags::Interval>& all = tags.intervals();
    ASSERT_LE(all.size(), 255U);
    std::uint64_t level = 0;
    std::set<Tag> used;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_NE(all[i].tag, 0);
      ASSERT_TRUE(used.insert(all[i].tag).second) << "two intervals with one tag";
      ASSERT_EQ(all[i].first_level, level);
      ASSERT_GE(all[i].levels, 1U);
      std::uint64_t sum = 0;
      for (const std::uint64_t end = level + all[i].levels; level < end; ++level) {
        ASSERT_LT(level, stored.size());
        ASSERT_EQ(tags.interval_of(level), i);
        ASSERT_EQ(stored[level], all[i].tag) << "level " << level << " of " << stored.size();
        sum += states[level];
      }
      ASSERT_EQ(all[i].states, sum);
    }
    ASSERT_EQ(level, stored.size()) << "levels without an interval";
  }

  // Intervals that a trace has to take apart are small, but for their last level.
  void expect_wide_levels_alone() const {
    for (const LevelTags::Interval& interval : tags.intervals()) {
      const std::uint64_t last = states[interval.first_level + interval.levels - 1];
      ASSERT_LE(interval.states - last, total() / 100) << "from level " << interval.first_level;
    }
  }
};

TEST(LevelTags, TheFirstLevelsHaveTagsOfTheirOwn) {
  TagsTwin twin;
  for (int i = 0; i < 100; ++i) twin.level(1);
  EXPECT_EQ(twin.tags.intervals().size(), 100U);
  EXPECT_EQ(twin.tags.intervals()[99].tag, 100);
  twin.expect_consistent();
}

TEST(LevelTags, LevelsOfTheSameSizeHaveTagsOfTheirOwnUpTo200) {
  TagsTwin twin;
  for (int i = 0; i < 200; ++i) twin.level(1000);
  EXPECT_EQ(twin.tags.intervals().size(), 200U);
  twin.expect_consistent();
}

// Levels at the end of most searches are narrow: told apart for nothing, they cost time.
TEST(LevelTags, AsLongAsThereArePlentyOfTagsEachLevelHasItsOwn) {
  TagsTwin twin;
  twin.level(1000000);
  for (int i = 0; i < 50; ++i) twin.level(1);
  EXPECT_EQ(twin.tags.intervals().size(), 51U);
}

TEST(LevelTags, NarrowLevelsShareATag) {
  TagsTwin twin;
  twin.level(1000000);
  for (int i = 0; i < 5000; ++i) twin.level(1);
  EXPECT_LT(twin.tags.intervals().size(), 255U);
  twin.expect_consistent();
  twin.expect_wide_levels_alone();
}

TEST(LevelTags, AWideLevelAfterManyNarrowOnesSharesWithFewStatesOnly) {
  TagsTwin twin;
  for (int i = 0; i < 1000; ++i) twin.level(10);
  twin.level(1000000);
  twin.level(1000000);
  for (int i = 0; i < 1000; ++i) twin.level(10);
  twin.expect_consistent();
  twin.expect_wide_levels_alone();
}

TEST(LevelTags, TheEmptyLevelAtTheEndOfASearchIsALevel) {
  TagsTwin twin;
  for (const std::uint64_t states : {5, 7, 0}) twin.level(states);
  twin.expect_consistent();
}

TEST(LevelTags, AMillionLevels) {
  TagsTwin twin;
  for (int i = 0; i < 1000000; ++i) {
    const LevelTags::Opened opened = twin.tags.open_level();
    ASSERT_NE(opened.tag, 0);
    twin.tags.close_level(3);
  }
  EXPECT_LE(twin.tags.intervals().size(), 255U);
  EXPECT_EQ(twin.tags.intervals()[twin.tags.interval_of(999999)].tag,
            twin.tags.intervals().back().tag);
}

TEST(LevelTags, SizesUpTo10To12) {
  TagsTwin twin;
  for (int i = 0; i < 600; ++i)
    twin.level(std::uint64_t{1000000000000} / (1 + static_cast<unsigned>(i % 7)));
  twin.expect_consistent();
  twin.expect_wide_levels_alone();
}

// Random sizes of several shapes: level sizes of real models grow and shrink, gently or by leaps.
class RandomLevels : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Shape, RandomLevels, testing::Range(0, 5));

TEST_P(RandomLevels, AreAlwaysConsistent) {
  unsigned renamings = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t levels = seed == 0 ? 5000 : random() % 2000 + 1;
    TagsTwin twin;
    std::uint64_t size = 1;
    for (std::size_t i = 0; i < levels; ++i) {
      switch (GetParam()) {
        case 0: size = 1 + random() % 1000; break;                    // any
        case 1: size = 1 + size * (random() % 41 + 80) / 100; break;  // gently up and down
        case 2:
          size = std::uint64_t{1} << random() % 30;
          break;  // by leaps
        // ever wider
        case 3: size = std::min<std::uint64_t>(size + size / 50 + 1, 1u << 30); break;
        default: size = random() % 100 == 0 ? 1000000 : random() % 3 + 1;  // narrow, but for some
      }
      twin.level(size);
      if (i % 97 == 0 || i + 1 == levels) twin.expect_consistent();
      if (HasFatalFailure()) return;
    }
    twin.expect_wide_levels_alone();
    renamings += twin.renamings;
  }
  EXPECT_TRUE(renamings > 0 || GetParam() == 4) << "the samples do not show any renaming";
}

}  // namespace
}  // namespace spillway
