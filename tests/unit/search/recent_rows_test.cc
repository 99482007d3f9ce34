#include "search/ram/recent_rows.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace spillway {
namespace {

using Numbered = RecentRows<0, true>;

struct Cache {
  explicit Cache(std::size_t places) : recent(budget, 2, places) {}

  std::uint64_t meet(Word of, std::uint64_t number) {
    const Word row[] = {of, ~of};
    return recent.meet(row, place_hash(row, 2), number);
  }
  void renumber(Word of, std::uint64_t before, std::uint64_t number) {
    const Word row[] = {of, ~of};
    recent.renumber(place_hash(row, 2), before, number);
  }

  Budget budget{std::uint64_t{1} << 20};
  Numbered recent;
};

TEST(RecentRows, KnowWhichRowItWas) {
  Cache cache(1000);
  EXPECT_EQ(cache.meet(5, 17), Numbered::kNone);
  EXPECT_EQ(cache.meet(5, 18), 17U);
  EXPECT_EQ(cache.meet(5, 19), 17U);
  cache.renumber(5, 3, 20);
  EXPECT_EQ(cache.meet(5, 21), 17U) << "another row has had that number";
  cache.renumber(5, 17, 20);
  EXPECT_EQ(cache.meet(5, 21), 20U);
}

TEST(RecentRows, OfZerosIsNotMetBeforeItIsMet) {
  for (std::size_t places = 2; places < 50; ++places) {
    Cache cache(places);
    const Word zeros[] = {0, 0};
    EXPECT_EQ(cache.recent.meet(zeros, place_hash(zeros, 2), 1), Numbered::kNone);
    EXPECT_EQ(cache.recent.meet(zeros, place_hash(zeros, 2), 2), 1U);
  }
}

// A row that was forgotten comes back with its new number, and never with that of another row.
TEST(RecentRows, AreForgottenForOthers) {
  std::mt19937_64 random(1);
  Cache cache(7);
  std::uint64_t known = 0;
  std::vector<std::uint64_t> last(30, Numbered::kNone);
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const Word of = random() % last.size();
    const std::uint64_t number = cache.meet(of, i);
    known += number != Numbered::kNone ? 1 : 0;
    if (number == Numbered::kNone)
      last[of] = i;
    else
      ASSERT_EQ(number, last[of]);
  }
  EXPECT_GT(known, 1000U);
  EXPECT_LT(known, 9000U);
}

}  // namespace
}  // namespace spillway
