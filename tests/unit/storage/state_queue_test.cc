#include "papers/storage/state_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "papers/storage/state_stack.h"
#include "unit/caught.h"
#include "unit/storage/stores.h"

namespace spillway {
namespace {

class Spilling : public testing::TestWithParam<StoreKind> {
 protected:
  TestStore test{GetParam()};
};

// Pushes and pops come in waves, so that the queue grows far beyond memory and gets empty again.
TEST_P(Spilling, AQueueIsFirstInFirstOut) {
  StateQueue queue(test.store);
  std::deque<Row> twin;
  for (int wave = 0; wave < 30; ++wave) {
    const std::uint64_t pushes = test.random() % 10;
    for (int i = 0; i < 300; ++i) {
      if (test.random() % 10 < pushes) {
        twin.push_back(test.row(1000));
        queue.push(twin.back());
      } else {
        const std::optional<State> state = queue.pop();
        ASSERT_EQ(state.has_value(), !twin.empty());
        if (!state) continue;
        ASSERT_EQ(copy_of(*state), twin.front());
        twin.pop_front();
      }
      ASSERT_EQ(queue.size(), twin.size());
    }
    if (test.random() % 8 == 0) {
      queue.clear();
      twin.clear();
    }
  }
  std::size_t left = 0;
  queue.drain([&](State) { ++left; });
  EXPECT_EQ(left, twin.size());
}

TEST_P(Spilling, APoppedRowStaysUntilTheNextPop) {
  StateQueue queue(test.store);
  for (Word i = 0; i < 20; ++i) queue.push(Row(test.store.shape().words(), i));
  for (Word i = 0; i < 20; ++i) {
    const std::optional<State> state = queue.pop();
    ASSERT_TRUE(state);
    for (Word j = 0; j < 10; ++j) queue.push(Row(test.store.shape().words(), 77));
    EXPECT_EQ(copy_of(*state), Row(test.store.shape().words(), i));
  }
}

TEST_P(Spilling, AStackIsLastInFirstOut) {
  StateStack stack(test.store);
  std::vector<Row> twin;
  for (int wave = 0; wave < 30; ++wave) {
    const std::uint64_t pushes = test.random() % 10;
    for (int i = 0; i < 300; ++i) {
      if (test.random() % 10 < pushes) {
        twin.push_back(test.row(1000));
        stack.push(twin.back());
      } else if (!twin.empty()) {
        stack.pop();
        twin.pop_back();
      }
      ASSERT_EQ(stack.size(), twin.size());
      ASSERT_EQ(stack.empty(), twin.empty());
      if (twin.empty()) continue;
      if (test.store.shape().note > 0)
        stack.top_note()[0] = twin.back().back() = static_cast<Word>(i);
      ASSERT_EQ(copy_of(stack.top()), twin.back());
    }
    if (test.random() % 8 == 0) {
      stack.clear();
      twin.clear();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Storage, Spilling, testing::ValuesIn(store_kinds()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(StateQueueOnDisk, AShortQueueDoesNotTouchIt) {
  MemoryDisk memory;
  Budget budget(1 << 20);
  Store::Options options;
  options.block_bytes = kSector;
  Store store(memory, budget, {1, 0}, options);
  StateQueue queue(store);
  for (Word i = 0; i < 10000; ++i) {
    queue.push(Row{i});
    queue.push(Row{i});
    queue.pop();
    queue.pop();
  }
  EXPECT_EQ(memory.counters().writes, 0U);
}

TEST(StateQueueOnDisk, FilesThatWereReadAreRemoved) {
  MemoryDisk memory;
  Budget budget(1 << 20);
  Store::Options options;
  options.block_bytes = kSector;
  options.rows_per_block = 1;
  Store store(memory, budget, {1, 0}, options);
  StateQueue queue(store);
  for (Word i = 0; i < 20000; ++i) queue.push(Row{i});
  EXPECT_EQ(memory.list().size(), 5U);
  for (Word i = 0; i < 20000; ++i) {
    const std::optional<State> state = queue.pop();
    ASSERT_TRUE(state);
    ASSERT_EQ((*state)[0], i);
  }
  EXPECT_FALSE(queue.pop());
  EXPECT_EQ(memory.list().size(), 1U);
}

TEST(StateStackOnDisk, AnOldBlockIsNoticed) {
  MemoryDisk memory;
  Budget budget(1 << 20);
  Store::Options options;
  options.block_bytes = kSector;
  options.rows_per_block = 1;
  Store store(memory, budget, {1, 0}, options);
  StateStack stack(store);
  const auto push = [&](Word from) {
    for (Word i = from; i < from + 5; ++i) stack.push(Row{i});
  };
  push(0);
  const std::vector<std::byte> old = memory.bytes(memory.list().at(0));
  for (int i = 0; i < 5; ++i) stack.pop();
  push(100);
  memory.bytes(memory.list().at(0)) = old;
  const auto error = caught([&] {
    for (int i = 0; i < 5; ++i) stack.pop();
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::integrity);
}

}  // namespace
}  // namespace spillway
