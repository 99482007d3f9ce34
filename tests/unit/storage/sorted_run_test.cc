#include "storage/runs/sorted_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/error.h"
#include "cases.h"
#include "storage/runs/run_merge.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

struct Order {
  bool operator()(const Row& a, const Row& b) const {
    return below(a.data(), b.data(), Width<0>(a.size()));
  }
};
using Rows = std::set<Row, Order>;

std::vector<Word> flat(const Rows& rows) {
  std::vector<Word> words;
  for (const Row& row : rows) words.insert(words.end(), row.begin(), row.end());
  return words;
}

// Some rows, near each other or far apart, often with the extreme values.
Rows random_rows(std::mt19937_64& random, std::size_t words, std::size_t most) {
  Rows rows;
  const std::size_t count = random() % (most + 1);
  const Word mask = random() % 3 == 0 ? ~Word{0} : random() % 2 == 0 ? 0xff : 0x3;
  while (rows.size() < count && random() % 200 != 0) {
    Row row(words);
    for (Word& word : row) word = random() & mask;
    if (random() % 16 == 0) row.assign(words, 0);
    if (random() % 16 == 0) row.assign(words, ~Word{0});
    rows.insert(row);
  }
  return rows;
}

template <std::size_t W>
class Runs {
 public:
  Runs(std::size_t words, std::size_t rows, std::size_t group, bool compressed,
       std::size_t chunk_bytes, std::uint64_t reserve = 0)
      : shape_{words, rows, group, compressed},
        store_(budget_, disk_, chunk_bytes, shape_.most_bytes(), reserve) {}

  // In pieces, and in parts that are joined.
  SortedRun<W> write(const Rows& rows, std::mt19937_64& random) {
    BlockPacker<W> packer(shape_);
    RunWriter<W> writer(store_, packer);
    SortedRun<W> run(budget_, shape_);
    const std::vector<Word> words = flat(rows);
    for (std::size_t i = 0; i < rows.size();) {
      const std::size_t some = std::min<std::size_t>(rows.size() - i, 1 + random() % 9);
      writer.add(words.data() + i * shape_.words, some);
      i += some;
      if (random() % 8 == 0) run.append(writer.finish());
    }
    run.append(writer.finish());
    return run;
  }
  const BlockShape& shape() const { return shape_; }
  ChunkBuffers& buffers() { return store_.buffers(); }

 private:
  Budget budget_{1 << 30};
  MemoryDisk disk_;
  BlockShape shape_;
  ChunkStore store_;
};

template <std::size_t W>
std::vector<Word> read(Runs<W>& runs, const SortedRun<W>& run, const Word* from = nullptr) {
  std::vector<Word> words((run.size() + 1) * run.shape().words);
  BlockUnpacker<W> unpacker(run.shape());
  ReadAhead ahead(runs.buffers(), 3);
  RunReader<W> reader(run, unpacker, ahead, 2, from);
  words.resize(static_cast<std::size_t>(reader.take_below(nullptr, words.data()) - words.data()));
  return words;
}

template <std::size_t W>
void check_everything(std::uint64_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const std::size_t words = W != 0 ? W : 3 + random() % 3;
  Runs<W> runs(words, 1 + random() % 8, 1 + random() % 4, random() % 2 == 0, 1 + random() % 200,
               random() % 2 == 0 ? 0 : std::uint64_t{1} << 30);  // in memory, or on disk
  const Rows a = random_rows(random, words, 60);
  const Rows b = random_rows(random, words, 60);
  const Rows c = random_rows(random, words, 20);
  const SortedRun<W> run_a = runs.write(a, random);
  const SortedRun<W> run_b = runs.write(b, random);
  ASSERT_EQ(run_a.size(), a.size());
  ASSERT_EQ(read(runs, run_a), flat(a));
  for (const Row& from : c) {  // reading from the midst
    Rows rest(a.lower_bound(from), a.end());
    ASSERT_EQ(read(runs, run_a, from.data()), flat(rest));
  }

  Rows difference;  // rows of b that are not in a, in one call and in two
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(),
                      std::inserter(difference, difference.end()), Order());
  std::vector<Word> sieved = flat(b);
  const std::size_t half = b.size() / 2;
  BlockUnpacker<W> unpacker(runs.shape());
  ReadAhead ahead(runs.buffers(), random() % 4);
  RunSieve<W> sieve(run_a, unpacker, ahead);
  const std::size_t first = sieve.sieve(sieved.data(), half);
  const std::size_t second = sieve.sieve(sieved.data() + half * words, b.size() - half);
  sieved.resize((half + second) * words);
  sieved.erase(sieved.begin() + static_cast<std::ptrdiff_t>(first * words),
               sieved.begin() + static_cast<std::ptrdiff_t>(half * words));
  ASSERT_EQ(sieved, flat(difference));

  Rows united = a;
  united.insert(b.begin(), b.end());
  united.insert(c.begin(), c.end());
  const std::vector<Word> array = flat(c);
  MergeSources<W> sources{{&run_a, &run_b}, {States(array.data(), c.size(), words)}, {}};
  ASSERT_EQ(sources.rows(), a.size() + b.size() + c.size());
  const auto cuts = sources.cuts(1 + random() % 5, words);
  const std::size_t room = RowMerge<W>::room(sources, 0);
  std::vector<Word> piece(room * words);
  std::vector<Word> merged;
  RowSorter sorter(words);
  for (std::size_t part = 0; part <= cuts.size(); ++part) {
    RowMerge<W> merge(sources, unpacker, ahead, words, part == 0 ? nullptr : cuts[part - 1].data(),
                      part == cuts.size() ? nullptr : cuts[part].data());
    while (const std::size_t count = merge.next(sorter, piece.data(), room))
      merged.insert(merged.end(), piece.begin(),
                    piece.begin() + static_cast<std::ptrdiff_t>(count * words));
  }
  ASSERT_EQ(merged, flat(united));
}

TEST(SortedRun, AgreesWithSetsWhenBlocksAreTiny) {
  for (std::uint64_t seed = 1; seed <= cases(2000) && !testing::Test::HasFatalFailure(); ++seed) {
    check_everything<1>(seed);
    check_everything<2>(seed);
    check_everything<0>(seed);
  }
}

TEST(SortedRun, PartsAreJoined) {
  std::mt19937_64 random(1);
  Runs<1> runs(1, 3, 2, true, 40);
  SortedRun<1> run = runs.write({{1}, {2}, {3}, {4}}, random);
  run.append(runs.write({}, random));
  run.append(runs.write({{7}, {~Word{0}}}, random));
  EXPECT_EQ(run.size(), 6u);
  EXPECT_EQ(read(runs, run), (std::vector<Word>{1, 2, 3, 4, 7, ~Word{0}}));
}

TEST(RowSorter, SortsLongRows) {
  std::mt19937_64 random(3);
  for (const std::size_t words : {1, 2, 3, 7}) {
    RowSorter sorter(words);
    for (int round = 0; round < 50; ++round) {
      const std::size_t count = random() % 3000;
      const Word mask = round % 2 == 0 ? 3 : ~Word{0};
      std::vector<Word> rows(count * words);
      for (Word& word : rows) word = random() & mask;
      Rows expected;
      for (std::size_t i = 0; i < count; ++i) {
        const auto row = rows.begin() + static_cast<std::ptrdiff_t>(i * words);
        expected.insert(Row(row, row + static_cast<std::ptrdiff_t>(words)));
      }
      rows.resize(sorter.sort_unique(rows.data(), count) * words);
      ASSERT_EQ(rows, flat(expected));
    }
  }
}

TEST(RunBlock, WhatIsNoBlockIsRefused) {
  BlockShape shape{1, 16, 4, true};
  BlockPacker<1> packer(shape);
  std::vector<Word> rows;
  for (Word i = 0; i < 16; ++i) rows.push_back(i * i * 1000);
  const Bytes bytes = packer.pack(rows.data(), rows.size());
  const std::vector<std::uint8_t> block(bytes.begin(), bytes.end());
  BlockUnpacker<1> unpacker(shape);
  std::mt19937_64 random(5);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint8_t> broken = block;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes)
      broken[random() % broken.size()] ^= static_cast<std::uint8_t>(1 + random() % 255);
    if (random() % 4 == 0) broken.resize(random() % broken.size());
    std::vector<Word> out(shape.rows);
    try {
      unpacker.open(broken);
      unpacker.unpack(out.data());
      unpacker.subtract(rows.data(), rows.data() + rows.size(), out.data());
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::integrity);
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace spillway
