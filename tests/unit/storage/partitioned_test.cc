#include "papers/storage/partitioned.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "papers/storage/state_file.h"
#include "papers/storage/state_queue.h"
#include "papers/storage/state_table.h"
#include "unit/storage/stores.h"

namespace spillway {
namespace {

TEST(Partitioned, EveryStateHasOnePartAndPartsAreAlike) {
  TestStore test({DiskKind::memory, {2, 0}, 1});
  std::map<std::size_t, int> sizes;
  for (int i = 0; i < 30000; ++i) ++sizes[test.store.partition().of(test.row(1000))];
  ASSERT_EQ(sizes.size(), 3U);
  for (const auto& [part, size] : sizes) EXPECT_NEAR(size, 10000, 500) << part;
}

TEST(Partitioned, NotesDoNotChooseThePart) {
  TestStore test({DiskKind::memory, {1, 1}, 1});
  for (Word i = 0; i < 100; ++i)
    EXPECT_EQ(test.store.partition().of(Row{5, i}), test.store.partition().of(Row{5, 0}));
}

TEST(Partitioned, EverythingFollowsASplit) {
  TestStore test({DiskKind::memory, {1, 1}, 2});
  Partitioned<StateFile> files(test.store);
  Partitioned<StateQueue> queues(test.store);
  std::multiset<Row> expected;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 40; ++i) {
      const Row row = test.row(500);
      files[row].append(row);
      queues[row].push(row);
      expected.insert(row);
    }
    const std::size_t count = files.count();
    test.store.partition().split(test.random() % count);
    ASSERT_EQ(files.count(), count + 1);
    ASSERT_EQ(files.size(), expected.size());
    ASSERT_EQ(queues.size(), expected.size());
  }
  std::multiset<Row> in_files, in_queues;
  for (std::size_t i = 0; i < files.count(); ++i) {
    for (const State state : files[i].scan()) {
      EXPECT_EQ(files.of(state), i);
      in_files.insert(copy_of(state));
    }
    queues[i].drain([&](State state) {
      EXPECT_EQ(queues.of(state), i);
      in_queues.insert(copy_of(state));
    });
  }
  EXPECT_EQ(in_files, expected);
  EXPECT_EQ(in_queues, expected);
}

TEST(Partitioned, ASplitHalves) {
  TestStore test({DiskKind::memory, {1, 0}, 0});
  Partitioned<StateFile> files(test.store);
  for (int i = 0; i < 6000; ++i) {
    const Row row = test.row(~Word{0});
    files[row].append(row);
  }
  const auto before = static_cast<double>(files[1].size());
  test.store.partition().split(1);
  EXPECT_NEAR(static_cast<double>(files[1].size()) / before, 0.5, 0.05);
  test.store.partition().split(1);
  EXPECT_NEAR(static_cast<double>(files[1].size()) / before, 0.25, 0.05);
}

// PART (Bao, Jones 2005, figure 2) as it reads in the paper, over a graph given by a function.
class Part {
 public:
  explicit Part(Store& store) : M{store}, D{store}, Q{store} {}

  std::set<Word> search(Word initial, Word (*successor)(Word, unsigned), unsigned degree) {
    push(initial);
    while (const auto i = longest_queue()) sweep(*i, successor, degree);
    std::set<Word> found;
    for (std::size_t i = 0; i < D.count(); ++i)
      for (const State s : D[i].scan()) EXPECT_TRUE(found.insert(s[0]).second);
    return found;
  }

 private:
  static constexpr Tag kOld = 1, kNew = 2;

  void push(Word s) { Q[State(&s, 1)].push(State(&s, 1)); }
  std::optional<std::size_t> longest_queue() {
    std::size_t best = 0;
    for (std::size_t i = 1; i < Q.count(); ++i)
      if (Q[i].size() > Q[best].size()) best = i;
    if (Q[best].empty()) return std::nullopt;
    return best;
  }
  void sweep(std::size_t i, Word (*successor)(Word, unsigned), unsigned degree) {
    for (const State s : D[i].scan()) M.insert(s, kOld);
    while (const auto s = Q[i].pop())
      if (M.insert(*s, kNew))
        for (unsigned e = 0; e < degree; ++e) push(successor((*s)[0], e));
    for (auto [s, tag] : M)
      if (tag == kNew) D[i].append(s);
    M.clear();
  }

  StateTable M;
  Partitioned<StateFile> D;
  Partitioned<StateQueue> Q;
};

TEST(Partitioned, APaperReadsAsItIsWritten) {
  const auto successor = [](Word s, unsigned e) { return (s * 5 + e * 77 + 1) % 600; };
  std::set<Word> reachable{3};
  for (std::vector<Word> open{3}; !open.empty();) {
    const Word s = open.back();
    open.pop_back();
    for (unsigned e = 0; e < 2; ++e)
      if (reachable.insert(successor(s, e)).second) open.push_back(successor(s, e));
  }
  for (const std::size_t rows : {1, 2, 0}) {
    TestStore test({DiskKind::memory, {1, 0}, rows});
    EXPECT_EQ(Part(test.store).search(3, successor, 2), reachable);
    EXPECT_EQ(test.budget.used(), 0U);
    EXPECT_TRUE(test.disk->list().empty());
  }
}

}  // namespace
}  // namespace spillway
