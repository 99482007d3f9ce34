#include "papers/storage/state_file.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "unit/caught.h"
#include "unit/storage/stores.h"

namespace spillway {
namespace {

class StateFiles : public testing::TestWithParam<StoreKind> {
 protected:
  std::vector<Row> rows(std::uint64_t first = 0, std::uint64_t last = StateFile::kEnd) {
    std::vector<Row> read;
    for (const State state : file.scan(first, last)) read.push_back(copy_of(state));
    std::vector<Row> together;
    Scan scan = file.scan(first, last);
    for (States batch = scan.next_rows(); !batch.empty(); batch = scan.next_rows())
      for (const State state : batch) together.push_back(copy_of(state));
    EXPECT_EQ(together, read);
    return read;
  }
  // Some one by one, some together.
  void append(std::uint64_t count) {
    std::vector<Word> together;
    for (std::uint64_t i = 0; i < count; ++i) {
      expected.push_back(test.row(1000));
      if (i < count / 2)
        file.append(expected.back());
      else
        together.insert(together.end(), expected.back().begin(), expected.back().end());
    }
    file.append(States(together.data(), count - count / 2, test.store.shape().words()));
  }

  TestStore test{GetParam()};
  StateFile file{test.store};
  std::vector<Row> expected;
};

TEST_P(StateFiles, AreWhatWasAppended) {
  EXPECT_TRUE(rows().empty());
  for (int round = 0; round < 60; ++round) {
    append(test.random() % 7);
    EXPECT_EQ(file.size(), expected.size());
    switch (test.random() % 8) {
      case 0: file.release(); break;
      case 1:
        file.clear();
        expected.clear();
        break;
      default: break;
    }
    ASSERT_EQ(rows(), expected);
  }
}

TEST_P(StateFiles, AreReadInParts) {
  append(20);
  for (int round = 0; round < 3; ++round) {
    const std::uint64_t size = expected.size();
    for (std::uint64_t first = 0; first <= size + 1; first += step_of_all(5))
      for (std::uint64_t last = 0; last <= size + 2; last += 3) {
        std::vector<Row> part;
        for (std::uint64_t i = first; i < std::min(last, size); ++i) part.push_back(expected[i]);
        ASSERT_EQ(rows(first, last), part) << first << " " << last;
      }
    if (round == 0) file.release();
    if (round == 1) append(2);
  }
}

TEST_P(StateFiles, AreReadTwiceAtTheSameTime) {
  append(10);
  std::uint64_t pairs = 0;
  for (const State a : file.scan())
    for (const State b : file.scan()) pairs += equal(a, b) ? 1 : 1000;
  EXPECT_EQ(pairs % 1000, 10U);
}

TEST_P(StateFiles, GiveBackMemoryAndDisk) {
  append(10);
  file.release();
  EXPECT_EQ(test.budget.used(), 0U);
  file.clear();
  EXPECT_EQ(file.disk_bytes(), 0U);
  {
    StateFile other(test.store);
    other.append(test.row(5));
  }
  EXPECT_EQ(test.disk->list().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Storage, StateFiles, testing::ValuesIn(store_kinds()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(StateFileOnAFailingDisk, ABlockThatWasLostIsNoticed) {
  MemoryDisk memory;
  Budget budget(1 << 20);
  Store::Options options;
  options.block_bytes = kSector;
  Store store(memory, budget, {1, 0}, options);
  StateFile file(store);
  for (Word i = 0; i < 2000; ++i) file.append(Row{i});
  file.release();
  const std::string name = memory.list().at(0);
  const std::vector<std::byte> before = memory.bytes(name);
  // The last block as it was before more was appended: an old block in the right place, with a
  // right checksum.
  file.append(Row{2000});
  file.release();
  std::copy(before.end() - kSector, before.end(), memory.bytes(name).end() - kSector);
  const auto error = caught([&] {
    for ([[maybe_unused]] const State state : file.scan()) {
    }
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::integrity);
  EXPECT_NE(std::string(error->what()).find("2,001 states were written, 2,000 were read"),
            std::string::npos)
      << error->what();
  EXPECT_TRUE(caught([&] { file.append(Row{2001}); }));
}

TEST(StateFileOfLongRows, BlocksAreAsLargeAsARow) {
  MemoryDisk memory;
  Budget budget(4 << 20);
  Store::Options options;
  options.block_bytes = kSector;
  Store store(memory, budget, {8192, 1}, options);  // 64 KiB
  StateFile file(store);
  for (Word i = 0; i < 5; ++i) file.append(Row(8193, i));
  Word next = 0;
  for (const State state : file.scan()) EXPECT_EQ(copy_of(state), Row(8193, next++));
  EXPECT_EQ(next, 5U);
}

}  // namespace
}  // namespace spillway
