// The sort that is compiled into the program, instead of Highway's shared library.
#include <gtest/gtest.h>
#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <string_view>
#include <vector>

namespace spillway {
namespace {

using Words = std::vector<std::uint64_t>;

// SPILLWAY_CPU=avx2: as on a processor that has no more.
const bool restricted = [] {
  const char* const level = std::getenv("SPILLWAY_CPU");
  if (level == nullptr || std::string_view(level) != "avx2") return false;
  hwy::DisableTargets(HWY_AVX2 - 1);
  return true;
}();

Words random_words(std::mt19937_64& random, std::size_t count) {
  const std::uint64_t mask = random() % 2 == 0 ? ~std::uint64_t{0} : random() % 1024;
  Words words(count);
  for (std::uint64_t& word : words) word = random() & mask;
  return words;
}

void sort_words(Words& words) { hwy::Sorter()(words.data(), words.size(), hwy::SortAscending()); }

TEST(StaticSort, SortsWords) {
  std::mt19937_64 random(1);
  for (std::size_t count = 0; count < 20000; count += 1 + count / 3) {
    Words words = random_words(random, count);
    Words expected = words;
    std::sort(expected.begin(), expected.end());
    sort_words(words);
    ASSERT_EQ(words, expected) << count;
  }
}

TEST(StaticSort, SortsPairs) {
  std::mt19937_64 random(2);
  for (std::size_t count = 0; count < 20000; count += 1 + count / 3) {
    const Words low = random_words(random, count), high = random_words(random, count);
    std::vector<hwy::uint128_t> pairs(count);
    for (std::size_t i = 0; i < count; ++i) pairs[i] = {low[i], high[i]};
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected;
    for (std::size_t i = 0; i < count; ++i) expected.emplace_back(high[i], low[i]);
    std::sort(expected.begin(), expected.end());
    hwy::Sorter()(pairs.data(), pairs.size(), hwy::SortAscending());
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(std::pair(pairs[i].hi, pairs[i].lo), expected[i]) << i << " of " << count;
  }
}

// Of some runs the fastest, in seconds of this thread.
double seconds(const Words& words, const std::function<void(Words&)>& sort) {
  double least = 1e9;
  for (int i = 0; i < 5; ++i) {
    Words copy = words;
    const auto now = [] {
      timespec time{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double begun = now();
    sort(copy);
    least = std::min(least, now() - begun);
  }
  return least;
}

// Usually it is six times as fast.
TEST(StaticSort, IsFasterThanTheStandardLibrary) {
  if (restricted || __builtin_cpu_supports("avx512vl") == 0)
    GTEST_SKIP() << "not here: the processor has no AVX-512";
  std::mt19937_64 random(3);
  Words words(200'000);
  for (std::uint64_t& word : words) word = random();
  const double ours = seconds(words, sort_words);
  const double standard = seconds(words, [](Words& w) { std::sort(w.begin(), w.end()); });
  EXPECT_LT(2.5 * ours, standard);
}

}  // namespace
}  // namespace spillway
