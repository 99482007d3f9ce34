#include "papers/hash/perfect_hash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

// Keys of `words` words that differ in few bits.
struct Keys {
  std::uint64_t count;
  std::size_t words = 1;

  std::vector<Word> key(std::uint64_t i) const {
    std::vector<Word> row(words, 7);
    row[i % words] = i + 1000;
    row[words - 1] = i;
    return row;
  }
  void operator()(const std::function<void(State)>& visit) const {
    for (std::uint64_t i = 0; i < count; ++i) visit(key(i));
  }
};

struct Made {
  Budget budget;
  MemoryDisk disk;
  PerfectHash hash;

  Made(const Keys& keys, const PerfectHashSettings& settings, std::uint64_t bytes = 32 << 20)
      : budget(bytes), hash(budget, disk, keys.count, keys, settings, [] {}) {}
};

void expect_bijection(PerfectHash& hash, const Keys& keys) {
  std::vector<bool> seen(keys.count);
  for (std::uint64_t i = 0; i < keys.count; ++i) {
    const std::uint64_t number = hash(keys.key(i));
    ASSERT_LT(number, keys.count);
    ASSERT_FALSE(seen[number]) << i;
    seen[number] = true;
  }
}

TEST(PerfectHash, IsABijectionWhateverTheSizes) {
  for (const bool on_disk : {false, true})
    for (const std::uint32_t part_keys : {1U, 2U, 7U, 100U, 50'000U})
      for (std::uint64_t count = 0; count < 400; count = count < 12 ? count + 1 : count * 3 / 2) {
        SCOPED_TRACE(testing::Message()
                     << count << " keys, parts of " << part_keys << ", on disk " << on_disk);
        PerfectHashSettings settings;
        settings.on_disk = on_disk;
        settings.disk_blocks = 1;
        settings.part_keys = part_keys;
        settings.sort_rows = 1 + count % 5;
        settings.check_values = count % 2 == 0;
        const Keys keys{count, 1 + count % 4};
        Made made(keys, settings);
        expect_bijection(made.hash, keys);
      }
}

TEST(PerfectHash, IsABijectionOfManyKeysInFewBits) {
  const Keys keys{300'000, 2};
  for (const bool on_disk : {false, true}) {
    PerfectHashSettings settings;
    settings.on_disk = on_disk;
    settings.disk_blocks = 3;
    Made made(keys, settings, 6 << 20);
    expect_bijection(made.hash, keys);
    const auto bits = [&](std::uint64_t bytes) {
      return static_cast<double>(bytes) * 8 / static_cast<double>(keys.count);
    };
    EXPECT_LT(bits(on_disk ? made.hash.disk_bytes() : made.hash.memory_bytes()), 3.2);
    EXPECT_EQ(made.hash.reads() != 0, on_disk);
    EXPECT_EQ(made.hash.disk_bytes() != 0, on_disk);
  }
}

TEST(PerfectHash, NoticesKeysThatAreNoMembers) {
  const Keys keys{1000};
  PerfectHashSettings settings;
  settings.check_values = true;
  Made made(keys, settings);
  expect_bijection(made.hash, keys);
  int noticed = 0;
  for (std::uint64_t i = 0; i < 1000; ++i)
    noticed += caught([&] { made.hash(std::vector<Word>{1'000'000 + i}); }) ? 1 : 0;
  EXPECT_GE(noticed, 995);
}

TEST(PerfectHash, AnswersForOthersWithoutCheckValues) {
  Made made(Keys{1000}, {});
  for (std::uint64_t i = 0; i < 1000; ++i)
    EXPECT_LE(made.hash(std::vector<Word>{1'000'000 + i}), 1000);
}

// The first two make keys that cannot be told apart, or that belong into one bucket and one slot.
HashKey bad_at_first(State key, std::uint64_t seed) {
  if (seed == 1) return {1, 1};
  if (seed == 2) return {hash_key(key, seed).place, 1};
  return hash_key(key, seed);
}

TEST(PerfectHash, TakesAnotherSeedIfKeysCannotBeToldApart) {
  const Keys keys{500, 2};
  PerfectHashSettings settings;
  settings.hash = bad_at_first;
  Made made(keys, settings);
  expect_bijection(made.hash, keys);
}

TEST(PerfectHash, TakesAnotherSeedIfAPartHasTooManyKeys) {
  const Keys keys{70'000};
  PerfectHashSettings settings;
  settings.hash = [](State key, std::uint64_t seed) {
    HashKey hashed = hash_key(key, seed);
    if (seed == 1) hashed.place >>= 8;
    return hashed;
  };
  Made made(keys, settings);
  expect_bijection(made.hash, keys);
}

TEST(PerfectHash, RefusesKeysThatAreTwiceThere) {
  const auto twice = [](const std::function<void(State)>& visit) {
    for (const Word word : {1U, 2U, 1U}) visit(std::vector<Word>{word});
  };
  Budget budget(32 << 20);
  MemoryDisk disk;
  EXPECT_EQ(caught([&] { PerfectHash(budget, disk, 3, twice, {}, [] {}); })->fault(),
            Fault::integrity);
  EXPECT_EQ(caught([&] { PerfectHash(budget, disk, 5, Keys{4}, {}, [] {}); })->fault(),
            Fault::integrity);
}

TEST(PerfectHash, ReturnsItsMemoryAndFiles) {
  Budget budget(32 << 20);
  MemoryDisk disk;
  {
    PerfectHashSettings settings;
    settings.on_disk = true;
    const PerfectHash hash(budget, disk, 5000, Keys{5000}, settings, [] {});
    EXPECT_EQ(disk.list().size(), 1U);
    EXPECT_GT(budget.used(), 0U);
  }
  EXPECT_EQ(budget.used(), 0U);
  EXPECT_TRUE(disk.list().empty());
}

TEST(PerfectHash, NeedsMemoryForAPart) {
  Budget budget(1 << 20);
  MemoryDisk disk;
  EXPECT_TRUE(caught([&] { PerfectHash(budget, disk, 5000, Keys{5000}, {}, [] {}); }));
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace spillway
