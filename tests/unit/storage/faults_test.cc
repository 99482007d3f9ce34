// A workload that uses everything, with every kind of trouble at every operation: the result is
// right, or there is an error that names a file; never a wrong result, a hang, or a file that is
// left.
#include <gtest/gtest.h>

#include <map>

#include "papers/storage/partitioned.h"
#include "papers/storage/state_file.h"
#include "papers/storage/state_queue.h"
#include "papers/storage/state_stack.h"
#include "unit/caught.h"
#include "unit/storage/stores.h"

namespace spillway {
namespace {

// Passes numbers through a file, partitioned queues, a stack and another, compressed file; returns
// what comes out.
std::vector<Word> workload(Disk& disk) {
  Budget budget(std::uint64_t{4} << 20);
  Store::Options options;
  options.block_bytes = 2 * kSector;
  options.rows_per_block = 5;
  options.partitions = 2;
  options.behind = {2, 2};
  options.ahead = {2, 2};
  options.run_id = 7;
  Store store(disk, budget, {1, 1}, options);
  options.rows_per_block = 300;
  Store wide(disk, budget, {1, 1}, options);
  StateFile file(store);
  for (Word i = 0; i < 63; ++i) file.append(Row{i, i * i});
  file.release();
  for (Word i = 63; i < 70; ++i) file.append(Row{i, i * i});
  Partitioned<StateQueue> queues(store);
  for (const State s : file.scan()) queues[s].push(s);
  store.partition().split(0);
  StateStack stack(store);
  for (std::size_t i = 0; i < queues.count(); ++i)
    while (const auto s = queues[i].pop()) stack.push(*s);
  StateFile last(wide, "wide");
  while (!stack.empty()) {
    last.append(stack.top());
    stack.pop();
  }
  for (Word i = 0; i < 1000; ++i) last.append(Row{1000, i / 100});
  std::vector<Word> result;
  for (const State s : last.scan()) result.insert(result.end(), s.begin(), s.end());
  file.clear();
  return result;
}

struct Kind {
  const char* name;
  Trouble trouble;
  bool from_then_on = false;
  bool always_right = false;  // nobody may notice
};

constexpr Kind kKinds[] = {
    {"an error", Trouble::io_error},
    {"errors from then on", Trouble::io_error, true},
    {"a full disk", Trouble::no_space},
    {"an interruption", Trouble::interrupted, false, true},
    {"a part", Trouble::short_transfer, false, true},
    {"a flipped bit", Trouble::flipped_bit},
    {"a torn write", Trouble::torn_write},
    {"a lost write", Trouble::dropped_write},
    {"a misplaced write", Trouble::misplaced_write},
};

class Faults : public testing::TestWithParam<Kind> {};

// The error names one of the workload's files and, where it is about a transfer or a block, the
// offset.
void expect_good_error(const Error& error) {
  static const testing::Matcher<std::string> kGood = testing::MatchesRegex(
      "(states|queue|stack|wide)-[0-9]+: .*(at offset [0-9,]+|cannot "
      "(create|open|remove|sync|truncate)"
      "|were written|went into).*");
  EXPECT_TRUE(error.fault() == Fault::system || error.fault() == Fault::integrity ||
              error.fault() == Fault::disk)
      << error.what();
  EXPECT_TRUE(kGood.Matches(error.what())) << error.what();
}

TEST_P(Faults, AtEveryOperation) {
  const Kind kind = GetParam();
  MemoryDisk healthy;
  FaultyDisk counting(healthy);
  const std::vector<Word> right = workload(counting);
  ASSERT_EQ(right.size(), 2 * 1070U);
  const std::uint64_t operations = counting.operations();
  ASSERT_GT(operations, 60U);
  std::uint64_t struck = 0, errors = 0;
  for (std::uint64_t at = 0; at < operations; ++at)
    for (const std::uint64_t choice : {std::uint64_t{0}, std::uint64_t{5000}, at * 7919}) {
      MemoryDisk memory;
      FaultyDisk disk(memory);
      disk.set({kind.trouble, at, kind.from_then_on, choice});
      std::vector<Word> result;
      const auto error = caught([&] { result = workload(disk); });
      struck += disk.struck() ? 1U : 0U;
      if (error) {
        ++errors;
        expect_good_error(*error);
        ASSERT_FALSE(kind.always_right) << error->what();
      } else {
        ASSERT_EQ(result, right) << kind.name << " at operation " << at;
      }
      // A removal that fails leaves the file, and nothing else does.
      ASSERT_TRUE(kind.trouble == Trouble::io_error || memory.list().empty())
          << kind.name << " at operation " << at;
    }
  EXPECT_EQ(struck, 3 * operations);
  EXPECT_TRUE(kind.always_right || errors > 10U) << errors;
}

INSTANTIATE_TEST_SUITE_P(Storage, Faults, testing::ValuesIn(kKinds), [](const auto& instance) {
  std::string name = instance.param.name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

}  // namespace
}  // namespace spillway
