#include "papers/storage/state_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "base/process/machine.h"
#include "cases.h"
#include "papers/storage/state_cache.h"
#include "unit/caught.h"
#include "unit/storage/stores.h"

namespace spillway {
namespace {

template <class Table>
class Tables : public testing::Test {};
using BothTables = testing::Types<StateTable, OpenStateTable>;
TYPED_TEST_SUITE(Tables, BothTables);

struct Value {
  Row note;
  Tag tag;
  bool operator==(const Value&) const = default;
};

// What a table must be: keys with notes and tags.
template <class Table>
std::map<Row, Value> contents(const Table& table, std::size_t key) {
  std::map<Row, Value> all;
  for (auto [state, tag] : table) {
    const auto middle = state.begin() + static_cast<std::ptrdiff_t>(key);
    EXPECT_TRUE(
        all.emplace(Row(state.begin(), middle), Value{Row(middle, state.end()), tag}).second);
  }
  return all;
}

TYPED_TEST(Tables, AreSetsUpToTheLastPlace) {
  for (const Shape shape : {Shape{1, 0}, Shape{2, 1}, Shape{5, 2}})
    for (const std::uint64_t bytes : {1, 100, 300, 3000}) {
      TestStore test({DiskKind::memory, shape, 1}, bytes);
      TypeParam table(test.store, bytes);
      std::map<Row, Value> twin;
      for (int i = 0; i < 5000; ++i) {
        const Row row = test.row(table.capacity() / shape.key + 2);
        const Row key(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(shape.key));
        const Value value{Row(row.begin() + static_cast<std::ptrdiff_t>(shape.key), row.end()),
                          static_cast<Tag>(i)};
        ASSERT_EQ(table.contains(row), twin.contains(key));
        switch (test.random() % 3) {
          case 0: ASSERT_EQ(table.erase(row), twin.erase(key) == 1); break;
          default:
            if (twin.size() == table.capacity() && !twin.contains(key)) {
              ASSERT_TRUE(caught([&] { table.insert(row); }));
            } else {
              ASSERT_EQ(table.insert(row, value.tag), twin.emplace(key, value).second);
            }
        }
        const auto place = twin.find(key);
        const TableFound found = table.find(row);
        ASSERT_EQ(static_cast<bool>(found), place != twin.end());
        if (found && shape.note > 0) found.note[0] = place->second.note[0] = static_cast<Word>(i);
        if (found) *found.tag = place->second.tag = static_cast<Tag>(i / 3);
        ASSERT_EQ(table.size(), twin.size());
        ASSERT_EQ(table.full(), twin.size() == table.capacity());
        if (i % 500 == 0) {
          ASSERT_EQ(contents(table, shape.key), twin);
        }
        if (i % 1777 == 1776) {
          table.clear();
          twin.clear();
        }
      }
      EXPECT_EQ(contents(table, shape.key), twin);
    }
}

TYPED_TEST(Tables, TakeWhatTheyWereGiven) {
  TestStore test({DiskKind::memory, {2, 0}, 1});
  const TypeParam table(test.store, 1 << 20);
  EXPECT_LE(test.budget.used(), (1U << 20) + 2 * 4096);
  EXPECT_GE(table.capacity(), (1U << 20) / 26);
  EXPECT_TRUE(caught([&] { TypeParam too_large(test.store, std::uint64_t{65} << 20); }));
}

TYPED_TEST(Tables, WorkWhenTheyAreFull) {
  TestStore test({DiskKind::memory, {1, 0}, 1});
  TypeParam table(test.store, 200'000);
  while (!table.full()) table.insert(test.row(~Word{0}), 7);
  std::uint64_t seen = 0;
  for (auto [state, tag] : table) seen += table.contains(state) && tag == 7 ? 1U : 0U;
  EXPECT_EQ(seen, table.capacity());
  const Row other = test.row(~Word{0});
  EXPECT_FALSE(table.contains(other));
  EXPECT_TRUE(caught([&] { table.insert(other); }));
}

TEST(StateTable, KeepsTheOrderOfInsertion) {
  TestStore test({DiskKind::memory, {1, 0}, 1});
  StateTable table(test.store);
  for (Word i = 0; i < 100; ++i) table.insert(Row{i * 7919 % 101});
  Word next = 0;
  for (auto [state, tag] : table) EXPECT_EQ(state[0], next++ * 7919 % 101);
}

TEST(StateCache, ForgetsButLosesNothing) {
  for (const unsigned ways : {1U, 2U, 8U})
    for (const std::uint64_t bytes : {1, 100, 1000}) {
      TestStore test({DiskKind::memory, {2, 0}, 1}, ways);
      std::map<Row, int> spilled;
      std::map<Row, int> inserted;
      StateCache cache(test.store, bytes, ways, [&](State state) { ++spilled[copy_of(state)]; });
      for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 500; ++i) {
          const Row row = test.row(12);
          const bool known = cache.contains(row);
          ASSERT_EQ(cache.insert(row), !known);
          ASSERT_TRUE(cache.contains(row));
          inserted[row] += known ? 0 : 1;
        }
        cache.write_back();
        ASSERT_EQ(spilled, inserted);  // each time it entered, it is handed out once
      }
      cache.clear();
      EXPECT_TRUE(cache.insert(Row{0, 0}));
      EXPECT_EQ(cache.capacity() % ways, 0U);
      EXPECT_GT(cache.forgotten(), 0U);
    }
}

// What a cache is without shared ways: sets of places, each filled in turn.
class WholeCache {
 public:
  WholeCache(std::size_t sets, std::size_t ways) : ways_(ways), sets_(sets) {}
  bool insert(const Row& row) {
    auto& set = sets_[place_of(place_hash(row.data(), row.size()), sets_.size())];
    if (std::ranges::find(set, row, &Entry::row) != set.end()) return false;
    if (set.size() < ways_) {
      set.push_back({row, true});
      return true;
    }
    Entry& evicted = set[forgotten_++ % ways_];
    if (evicted.fresh) spilled.push_back(evicted.row);
    evicted = {row, true};
    return true;
  }
  void write_back() {
    for (auto& set : sets_)
      for (Entry& entry : set) {
        if (entry.fresh) spilled.push_back(entry.row);
        entry.fresh = false;
      }
  }
  std::vector<Row> rows() const {
    std::vector<Row> all;
    for (const auto& set : sets_)
      for (const Entry& entry : set) all.push_back(entry.row);
    return all;
  }
  std::uint64_t forgotten() const { return forgotten_; }
  std::vector<Row> spilled;

 private:
  struct Entry {
    Row row;
    bool fresh;
  };
  const std::size_t ways_;
  std::vector<std::vector<Entry>> sets_;
  std::uint64_t forgotten_ = 0;
};

TEST(StateCache, DoesTheSameAsIfAllOfItWereInUse) {
  for (const unsigned ways : {1, 3, 8})
    for (const std::size_t sets : {1000, 5000, 10007}) {
      if (ways != 3 && !take_all()) continue;
      TestStore test({DiskKind::memory, Shape{2, 0}, 1}, sets);
      std::vector<Row> spilled;
      StateCache cache(test.store, sets * ways * 17, ways,
                       [&](State state) { spilled.emplace_back(state.begin(), state.end()); });
      ASSERT_EQ(cache.capacity(), sets * ways);
      WholeCache whole(sets, ways);
      const Word bound = 80 + 60 * ways;  // pairs of them are more than there are places
      for (std::size_t i = 0; i < sets * ways * 3; ++i) {
        const Row row = test.row(bound);
        ASSERT_EQ(cache.insert(row), whole.insert(row)) << i;
        if (i % 19'937 != 3 && !std::has_single_bit(i)) continue;
        cache.write_back();
        whole.write_back();
        ASSERT_EQ(spilled, whole.spilled) << i;
        spilled.clear();
        whole.spilled.clear();
        std::vector<Row> rows;
        cache.each([&](State state) { rows.emplace_back(state.begin(), state.end()); });
        ASSERT_EQ(rows, whole.rows()) << i;
        ASSERT_EQ(cache.forgotten(), whole.forgotten());
      }
    }
}

TEST(Tables, TouchOnlyWhatTheirRowsNeed) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 30, kSmall = std::uint64_t{64} << 20;
  constexpr int kRows = 100'000;
  Budget budget(4 * kLarge);
  TestDisk disk(DiskKind::memory);
  Store store(*disk, budget, Shape{1, 0}, {});
  StateTable table(store, kLarge);
  StateCache cache(store, kLarge, 8, [](State) {});
  const std::uint64_t before = resident_bytes();
  std::mt19937_64 random(1);
  for (int i = 0; i < kRows; ++i) {
    const Row row{random()};
    table.insert(row);
    cache.insert(row);
  }
  cache.write_back();
  cache.clear();
  table.clear();
  EXPECT_LT(resident_bytes() - before, kSmall);
}

}  // namespace
}  // namespace spillway
