// Bits on disk with two pages in memory, against bits in memory.
#include "storage/bits/paged_bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/error.h"
#include "storage/bits/bit_vector.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr std::uint64_t kWords = PagedBits::kPageWords * 7 + 5;

TEST(PagedBits, AreWhatWasWritten) {
  std::mt19937_64 random(1);
  Budget budget(1 << 20);
  MemoryDisk disk;
  PagedBits bits(budget, disk, kWords, 0);
  std::vector<std::uint64_t> expected(kWords);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t word = random() % 50 == 0 ? kWords - 1 : random() % kWords;
    const std::uint64_t value = random();
    switch (random() % 4) {
      case 0:
        bits.store(word, value);
        expected[word] = value;
        break;
      case 1:
        ASSERT_EQ(bits.fetch_or(word, value), expected[word]);
        expected[word] |= value;
        break;
      case 2:
        ASSERT_EQ(bits.fetch_and(word, value), expected[word]);
        expected[word] &= value;
        break;
      default: ASSERT_EQ(bits.load(word), expected[word]);
    }
    if (i % 50'000 != 49'999) continue;
    bits.clear();
    expected.assign(kWords, 0);
  }
  EXPECT_EQ(disk.list().size(), 1U);
}

TEST(PagedBits, BelongToAVectorAsOthersDo) {
  std::mt19937_64 random(2);
  Budget budget(4 << 20);
  MemoryDisk disk;
  const std::uint64_t size = kWords * 64 - 17;
  BitVector paged(budget, size, disk, BitVector::Medium::disk), plain(budget, size);
  BitVector other(budget, size, disk, BitVector::Medium::disk), same(budget, size);
  const auto compare = [&] {
    ASSERT_EQ(paged.count(), plain.count());
    for (std::uint64_t i = 0; i < 300; ++i) {
      const std::uint64_t at = random() % size;
      ASSERT_EQ(paged.get(at), plain.get(at));
      ASSERT_EQ(paged.get_shared(at), plain.get(at));
      ASSERT_EQ(paged.next(at), plain.next(at));
    }
  };
  for (int turn = 0; turn < 30; ++turn) {
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t at = random() % size;
      ASSERT_EQ(paged.set_shared(at), plain.set_shared(at));
      const std::uint64_t gone = random() % size;
      ASSERT_EQ(paged.reset_shared(gone), plain.reset_shared(gone));
      other.set(random() % 2 == 0 ? at : gone);
    }
    same.assign(other);
    switch (turn % 5) {
      case 0: paged.keep(other), plain.keep(same); break;
      case 1: paged.flip(), plain.flip(); break;
      case 2: paged.add(other), plain.add(same); break;
      case 3: paged.assign(other), plain.assign(same); break;
      default: paged.fill(size / 3 + 5), plain.fill(size / 3 + 5);
    }
    ASSERT_NO_FATAL_FAILURE(compare());
  }
}

TEST(PagedBits, NoticeDamage) {
  Budget budget(1 << 20);
  std::uint64_t noticed = 0;
  for (const Trouble trouble : {Trouble::io_error, Trouble::no_space, Trouble::flipped_bit})
    for (std::uint64_t at = 0; at < 40; ++at) {
      MemoryDisk memory;
      FaultyDisk disk(memory);
      disk.set({trouble, at});
      try {
        PagedBits bits(budget, disk, kWords, 0);
        for (std::uint64_t i = 0; i < kWords; ++i) bits.store(i, i);
        for (std::uint64_t i = 0; i < kWords; ++i) ASSERT_EQ(bits.load(i), i);
      } catch (const Error&) {
        ++noticed;
      }
    }
  EXPECT_GT(noticed, 30U);
}

TEST(PagedBits, AreTakenWhereMemoryDoesNotSuffice) {
  Budget budget(1 << 20);
  MemoryDisk disk;
  const BitVector small(budget, 1 << 16, disk, BitVector::Medium::memory_if_there_is_room);
  EXPECT_TRUE(disk.list().empty());
  const BitVector large(budget, 1 << 24, disk, BitVector::Medium::memory_if_there_is_room);
  EXPECT_EQ(disk.list().size(), 1U);
  EXPECT_LT(budget.used(), budget.limit() / 2);
}

}  // namespace
}  // namespace spillway
