#include "storage/bits/bit_vector.h"

#include <gtest/gtest.h>

#include <random>

#include "unit/caught.h"

namespace spillway {
namespace {

TEST(BitVector, IsWhatWasSet) {
  for (const std::uint64_t size : {1, 63, 64, 65, 1000}) {
    Budget budget(1 << 20);
    BitVector bits(budget, size);
    std::vector<bool> twin(size);
    std::mt19937_64 random(size);
    for (int i = 0; i < 3000; ++i) {
      const std::uint64_t at = random() % size;
      switch (random() % 3) {
        case 0: bits.set(at); break;
        case 1: EXPECT_EQ(bits.set_shared(at), twin[at]); break;
        default: bits.reset(at);
      }
      twin[at] = bits.get(at);
      ASSERT_EQ(bits.get_shared(at), bits.get(at));
    }
    std::uint64_t ones = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      EXPECT_EQ(bits.get(i), twin[i]);
      ones += twin[i] ? 1U : 0U;
    }
    EXPECT_EQ(bits.count(), ones);
    bits.clear();
    EXPECT_EQ(bits.count(), 0U);
  }
}

TEST(BitVector, FindsTheNextOneWithinARange) {
  Budget budget(1 << 20);
  constexpr std::uint64_t kSize = 200;
  BitVector bits(budget, kSize);
  for (const std::uint64_t i : {0, 3, 63, 64, 130, 199}) bits.set(i);
  for (std::uint64_t from = 0; from <= kSize; ++from)
    for (std::uint64_t end = from; end <= kSize; ++end) {
      std::uint64_t expected = from;
      while (expected < end && !bits.get(expected)) ++expected;
      ASSERT_EQ(bits.next(from, end), expected) << from << " to " << end;
    }
  EXPECT_EQ(bits.next(200), kSize);
  EXPECT_EQ(bits.next(131), 199U);
}

TEST(BitVector, CombinesSets) {
  for (const std::uint64_t size : {1, 63, 64, 65, 1000}) {
    Budget budget(1 << 20);
    BitVector a(budget, size), b(budget, size), both(budget, size), either(budget, size),
        none(budget, size);
    std::mt19937_64 random(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      if (random() % 2 == 0) a.set(i);
      if (random() % 2 == 0) b.set(i);
    }
    both.assign(a);
    both.keep(b);
    either.assign(a);
    either.add(b);
    none.assign(either);
    none.flip();
    for (std::uint64_t i = 0; i < size; ++i) {
      ASSERT_EQ(both.get(i), a.get(i) && b.get(i));
      ASSERT_EQ(either.get(i), a.get(i) || b.get(i));
      ASSERT_EQ(none.get(i), !a.get(i) && !b.get(i));
    }
    EXPECT_EQ(either.count() + none.count(), size);
    EXPECT_EQ(none.next(size), size);
    either.add(none);
    EXPECT_EQ(either.count(), size);
  }
}

TEST(BitVector, OfMoreThan32BitsOfBitsAndTooMany) {
  Budget budget(std::uint64_t{1} << 30);
  BitVector bits(budget, (std::uint64_t{1} << 32) + 100);
  bits.set((std::uint64_t{1} << 32) + 99);
  EXPECT_TRUE(bits.get((std::uint64_t{1} << 32) + 99));
  EXPECT_FALSE(bits.get(99));
  EXPECT_TRUE(caught([&] { BitVector more(budget, std::uint64_t{1} << 34); }));
}

}  // namespace
}  // namespace spillway
