// States in parts: rows of numbers, and what must not depend on the order in which they came.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "storage/parts/cut.h"
#include "storage/parts/parted_rows.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;
using Random = std::mt19937_64;

Budget plenty(std::uint64_t{1} << 30);

State state(const Row& row) { return {row.data(), row.size()}; }

// Each bit in a part by lot.
RowParts some_parts(std::size_t words, std::size_t count, Random& random) {
  std::vector<std::map<std::uint32_t, Word>> masks(count);
  for (std::uint32_t word = 0; word < words; ++word)
    for (unsigned bit = 0; bit < 64; ++bit) masks[random() % count][word] |= Word{1} << bit;
  std::vector<RowParts::Part> parts(count);
  for (std::size_t i = 0; i < count; ++i)
    for (const auto& [word, mask] : masks[i]) parts[i].push_back({word, mask});
  std::erase_if(parts, [](const RowParts::Part& part) { return part.empty(); });
  return {words, std::move(parts)};
}

// Differs from `row` in a few words, by values of which there are few.
Row changed(Row row, Random& random) {
  for (int i = 0; i < 3; ++i) row[random() % row.size()] = random() % 5 * 0x100010001;
  return row;
}

TEST(ValueSet, NumbersValuesInTheirOrder) {
  for (const unsigned hash_bits : {32U, 4U, 1U}) {
    ValueSet set(plenty, 2, hash_bits);
    EXPECT_EQ(set.find(Row{1, 2}.data()), ValueSet::kNone);
    for (Word i = 0; i < 3000; ++i)
      ASSERT_EQ(set.add(Row{i, i % 7}.data()), std::pair(static_cast<std::uint32_t>(i), true));
    for (Word i = 0; i < 3000; ++i) {
      ASSERT_EQ(set.add(Row{i, i % 7}.data()), std::pair(static_cast<std::uint32_t>(i), false));
      ASSERT_EQ(set.find(Row{i, i % 7}.data()), i);
      ASSERT_EQ(set.find(Row{i, 7}.data()), ValueSet::kNone);
      ASSERT_EQ(Row(set[static_cast<std::uint32_t>(i)], set[static_cast<std::uint32_t>(i)] + 2),
                (Row{i, i % 7}));
    }
    set.clear();
    EXPECT_EQ(set.find(Row{1, 1}.data()), ValueSet::kNone);
    EXPECT_EQ(set.add(Row{1, 1}.data()).first, 0U);
  }
}

TEST(ValueSet, StaysAsItIsIfTheBudgetRefuses) {
  Budget small(std::uint64_t{256} << 10);
  ValueSet set(small, 3);
  Word i = 0;
  const auto fill = [&] {
    for (;; ++i) set.add(Row{i, 0, 1}.data());
  };
  EXPECT_THROW(fill(), Error);
  EXPECT_GT(i, 1000U);
  EXPECT_LE(small.used(), small.limit());
  EXPECT_EQ(set.size(), i);
  for (Word known = 0; known < i; ++known) ASSERT_EQ(set.find(Row{known, 0, 1}.data()), known);
  set.clear();
  EXPECT_EQ(small.used(), 0U);
}

TEST(Column, NumbersYoungValuesByTheirContents) {
  Column column(plenty, 1, 32);
  for (const Word value : {30, 10, 20}) column.find_or_add(&value);
  EXPECT_EQ(column.settled(), 0U);
  EXPECT_EQ(column.settle(), (std::vector<std::uint32_t>{2, 0, 1}));
  for (const Word value : {5, 30, 1}) column.find_or_add(&value);
  EXPECT_EQ(column.settled(), 3U);
  EXPECT_EQ(column.settle(), (std::vector<std::uint32_t>{4, 3}));
  EXPECT_EQ(*column.value(3), 1U);
  EXPECT_EQ(*column.value(2), 30U);
}

TEST(RowParts, EachBitIsInOnePart) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const std::size_t words = 1 + random() % 20;
    const RowParts parts = some_parts(words, 1 + random() % RowParts::kMost, random);
    Row from(words), to(words);
    for (Word& word : from) word = random();
    for (Word& word : to) word = random();
    Row value(words);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::uint64_t before = parts.differing(state(from), state(to));
      parts.gather(state(from), part, value.data());
      ASSERT_EQ(parts.has(state(to), part, value.data()), (before >> part & 1) == 0);
      parts.scatter(value.data(), part, to.data());
      ASSERT_EQ(parts.differing(state(from), state(to)), before & ~(std::uint64_t{1} << part));
    }
    ASSERT_EQ(from, to);
  }
}

TEST(RowParts, AreRefusedIfABitIsInNoneOrInTwo) {
  EXPECT_THROW(RowParts(1, {{{0, 7}}}), Error);
  EXPECT_THROW(RowParts(1, {{{0, ~Word{0}}}, {{0, 8}}}), Error);
  EXPECT_THROW(RowParts(2, {{{0, ~Word{0}}}}), Error);
  EXPECT_NO_THROW(RowParts(1, {{{0, 8}}, {{0, ~Word{8}}}}));
}

// A walk through random states, as a search shortens them: the rows of each level, in the order in
// which `seed` deals out its states and their successors.
std::vector<std::vector<Row>> levels_of(const RowParts& parts, const PartedSettings& settings,
                                        std::uint64_t seed, std::uint64_t* young = nullptr) {
  PartedRows rows(plenty, parts, settings);
  std::set<Row> visited;
  std::vector<std::vector<Row>> levels;
  std::vector<Row> level{Row(parts.words())};
  Random order(seed);
  PartedRows::Hand first(rows);
  Row row(rows.words());
  EXPECT_FALSE(rows.shorten(state(level[0]), first, row.data())) << "nothing is known yet";
  level.clear();
  const auto take = [&](State some) {
    if (visited.emplace(some.begin(), some.end()).second)
      level.emplace_back(some.begin(), some.end());
  };
  const auto take_young = [&] {
    for (States some = rows.take_young(3); !some.empty(); some = rows.take_young(3)) {
      for (const State one : some) {
        const std::size_t before = visited.size();
        take(one);
        EXPECT_EQ(visited.size(), before + 1) << "what is young is new";
        if (young != nullptr) ++*young;
      }
    }
  };
  take_young();
  for (int depth = 0; depth < 6; ++depth) {
    std::ranges::sort(level);
    levels.push_back(level);
    std::ranges::shuffle(level, order);
    std::vector<PartedRows::Hand> hands(3, PartedRows::Hand(rows));
    for (const Row& one : std::exchange(level, {})) {
      PartedRows::Hand& hand = hands[order() % 3];
      const State whole = rows.whole(state(one), hand);
      const Row from(whole.begin(), whole.end());
      std::vector<Row> successors;
      Random random(std::hash<std::string_view>()(
          {reinterpret_cast<const char*>(from.data()), from.size() * sizeof(Word)}));
      for (int i = 0; i < 4; ++i) successors.push_back(changed(from, random));
      std::ranges::shuffle(successors, order);
      for (const Row& successor : successors) {
        if (!rows.shorten(state(successor), hand, row.data())) continue;
        PartedRows::Hand other(rows);
        const State again = rows.whole(state(row), other);
        EXPECT_EQ(Row(again.begin(), again.end()), successor);
        take(state(row));
      }
    }
    take_young();
  }
  return levels;
}

// Numbers depend on the states alone.
TEST(PartedRows, AreTheSameInWhateverOrderStatesCome) {
  Random random(2);
  std::uint64_t young = 0;
  for (int i = 0; i < 30; ++i) {
    const std::size_t words = 6 + random() % 12;
    const RowParts parts = some_parts(words, 1 + random() % 20, random);
    const auto expected = levels_of(parts, {}, 0, &young);
    EXPECT_GT(expected.back().size(), 50U);
    for (std::uint64_t seed = 1; seed < 4; ++seed)
      ASSERT_EQ(levels_of(parts, {.hash_bits = seed == 3 ? 4U : 32U, .check_one_in = 1}, seed),
                expected);
  }
  EXPECT_GT(young, 1000U);
}

TEST(PartedRows, OfALevelThatIsNotCompletedAreForgotten) {
  Random random(3);
  PartedRows rows(plenty, some_parts(4, 5, random));
  PartedRows::Hand hand(rows);
  Row row(rows.words());
  EXPECT_FALSE(rows.shorten(state(Row{1, 2, 3, 4}), hand, row.data()));
  rows.forget_young();
  EXPECT_TRUE(rows.take_young(10).empty());
  EXPECT_EQ(rows.values(), 0U);
  EXPECT_THROW(rows.whole(state(Row(rows.words())), hand), Error) << "no such value";
}

// Two records that go together, one that does not, and bits that never change.
TEST(Cut, MergesWhatGoesTogether) {
  Random random(4);
  const std::size_t words = 40;
  Row sample;
  for (int i = 0; i < 20'000; ++i) {
    Row row(words);
    const Word together = random() % 6;
    row[3] = together;
    row[20] = together * 77;
    row[30] = random() % 3000;
    row[31] = random() % 2500;
    sample.insert(sample.end(), row.begin(), row.end());
  }
  const States rows(sample.data(), sample.size() / words, words);
  const auto parts = cut(rows, words, {{3 * 64, 64}, {20 * 64, 128}, {30 * 64, 64}}, plenty);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 4U) << parts->text();
  EXPECT_EQ(parts->parts()[0], (RowParts::Part{{3, ~Word{0}}, {20, ~Word{0}}, {21, ~Word{0}}}));
  EXPECT_EQ(parts->parts()[3].size(), words - 5);
  EXPECT_EQ(cut(rows, words, {{3 * 64, 64}, {20 * 64, 128}, {30 * 64, 64}}, plenty)->text(),
            parts->text());
}

TEST(Cut, IsNotMadeWhereItIsNotWorthIt) {
  Random random(5);
  Row sample;
  for (int i = 0; i < 40'000; ++i) sample.push_back(random());
  EXPECT_FALSE(cut({sample.data(), 1000, 40}, 40, {}, plenty)) << "noise";
  std::ranges::fill(sample, 1);
  EXPECT_FALSE(cut({sample.data(), 10'000, 4}, 4, {}, plenty)) << "short rows";
  EXPECT_TRUE(cut({sample.data(), 1000, 40}, 40, {}, plenty));
}

}  // namespace
}  // namespace spillway
