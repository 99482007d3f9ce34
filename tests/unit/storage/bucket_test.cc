#include "storage/table/bucket.h"

#include <gtest/gtest.h>

#include <random>

namespace spillway {
namespace {

constexpr Word kOnes = ~Word{0};

std::uint64_t tags_of(const std::vector<Tag>& tags) {
  std::uint64_t word = 0;
  for (unsigned slot = 0; slot < tags.size(); ++slot) word = with_tag(word, slot, tags[slot]);
  return word;
}

TEST(Tags, FilledSlotsForAllFillCounts) {
  for (const Tag tag : {Tag{1}, Tag{127}, Tag{128}, Tag{255}}) {
    std::uint64_t tags = 0;
    for (unsigned filled = 0; filled <= kSlots; ++filled) {
      EXPECT_EQ(filled_slots(tags), filled) << int{tag};
      EXPECT_EQ(filled_slots(tags | kLock), filled) << "a lock is no tag";
      EXPECT_EQ(is_full(tags), filled == kSlots);
      EXPECT_EQ(is_full(tags | kLock), filled == kSlots);
      if (filled < kSlots) tags = with_tag(tags, filled, tag);
    }
  }
}

TEST(Tags, EachSlotHasItsOwn) {
  const std::vector<Tag> tags = {1, 255, 128, 7, 64, 2, 200};
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    EXPECT_EQ(tag_of(tags_of(tags), slot), tags[slot]);
    EXPECT_EQ(tag_of(tags_of(tags) | kLock, slot), tags[slot]);
  }
}

TEST(Tags, ANewTagChangesNoOther) {
  const std::uint64_t before = tags_of({9, 8, 7});
  EXPECT_EQ(with_tag(before, 3, 255), tags_of({9, 8, 7, 255}));
  EXPECT_EQ(with_tag(before | kLock, 3, 255), tags_of({9, 8, 7, 255}) | kLock);
}

template <std::size_t W>
unsigned naive_slots_with(const Bucket<W>& bucket, Word word) {
  unsigned mask = 0;
  for (unsigned slot = 0; slot < kSlots; ++slot)
    mask |= bucket.first[slot] == word ? 1U << slot : 0U;
  return mask;
}

template <class Width>
class SlotsWith : public testing::Test {
 protected:
  Bucket<Width::value> bucket{};
};
using Widths =
    testing::Types<std::integral_constant<std::size_t, 1>, std::integral_constant<std::size_t, 2>>;
TYPED_TEST_SUITE(SlotsWith, Widths);

TYPED_TEST(SlotsWith, AgreesWithANaiveLoop) {
  std::mt19937_64 random(1);
  const Word words[] = {0, 1, kOnes, kOnes - 1, Word{1} << 32, Word{1} << 63};
  for (int round = 0; round < 20000; ++round) {
    this->bucket.tags = random();
    for (Word& word : this->bucket.first) word = words[random() % std::size(words)];
    for (const Word wanted : words)
      ASSERT_EQ(slots_with(this->bucket, wanted), naive_slots_with(this->bucket, wanted));
  }
}

TYPED_TEST(SlotsWith, TheTagWordIsNoSlot) {
  this->bucket.tags = 42;
  EXPECT_EQ(slots_with(this->bucket, 42), 0U);
}

TYPED_TEST(SlotsWith, EmptySlotsHoldZero) { EXPECT_EQ(slots_with(this->bucket, 0), 0x7fU); }

// Slots behind the filled ones may hold the wanted word; it is the caller who masks them.
TYPED_TEST(SlotsWith, SaysNothingAboutWhichSlotsAreFilled) {
  for (Word& word : this->bucket.first) word = 5;
  for (unsigned filled = 0; filled <= kSlots; ++filled) {
    const unsigned mask = slots_with(this->bucket, 5) & ((1U << filled) - 1);
    EXPECT_EQ(std::popcount(mask), static_cast<int>(filled));
    this->bucket.tags = with_tag(this->bucket.tags, filled, 1);
  }
}

TYPED_TEST(SlotsWith, HalvesOfAWordAreNotAWord) {
  this->bucket.first[2] = 0x00000001ffffffff;
  EXPECT_EQ(slots_with(this->bucket, 0x00000001fffffffe), 0U);
  EXPECT_EQ(slots_with(this->bucket, 0x00000000ffffffff), 0U);
  EXPECT_EQ(slots_with(this->bucket, 0x00000001ffffffff), 1U << 2);
}

}  // namespace
}  // namespace spillway
