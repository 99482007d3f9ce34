// Edges that are put into a file and taken from it, and files with something else in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "cases.h"
#include "passes/edges.h"
#include "support/memory_disk.h"
#include "unit/passes/some_graphs.h"

namespace spillway {
namespace {

using File = std::vector<std::uint8_t>;

File file_of(const Edges& edges) {
  File file;
  edges.save([&](std::span<const std::uint8_t> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
  });
  return file;
}

// Throws Error(integrity), also where a file ends.
void load(Edges& edges, const File& file, Node targets) {
  std::size_t at = 0;
  edges.load(
      [&](std::span<std::uint8_t> out) {
        if (file.size() - at < out.size()) throw Error(Fault::integrity, "the end of the file");
        std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(at), out.size(), out.begin());
        at += out.size();
      },
      targets);
}

// With marks that differ, are equal, or are of no set.
Edges some_edges(Random& random, Budget& budget, std::uint64_t block_nodes, EdgeRoom room) {
  const Targets targets = some_targets(random);
  Edges edges(budget, targets.size(), block_nodes, room);
  const std::uint64_t kinds = random() % 4;
  for (std::size_t i = 0; i < edges.blocks(); ++i) {
    EdgeBlock block;
    block.begin(edges.begin(i));
    for (Node node = edges.begin(i); node < edges.end(i); ++node) {
      std::vector<SetMask> marks;
      for (std::size_t k = 0; k < targets[node].size(); ++k)
        marks.push_back(kinds == 0 ? 0 : random() % kinds);
      block.add(targets[node], marks);
    }
    edges.put(i, block);
  }
  edges.settle();
  return edges;
}

void expect_equal(const Edges& a, const Edges& b) {
  ASSERT_EQ(a.nodes(), b.nodes());
  EdgeBlock of_a, of_b;
  for (std::size_t i = 0; i < a.blocks(); ++i) {
    ASSERT_EQ(a.common_marks(i), b.common_marks(i));
    ASSERT_EQ(a.all_marks(i), b.all_marks(i));
    a.unpack_with_marks(i, of_a);
    b.unpack_with_marks(i, of_b);
    for (std::size_t k = 0; k < of_a.size(); ++k) {
      ASSERT_TRUE(std::ranges::equal(of_a.targets(k), of_b.targets(k)));
      ASSERT_TRUE(std::ranges::equal(of_a.marks(k), of_b.marks(k)));
    }
  }
}

TEST(KeptEdges, AreThoseThatWerePut) {
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    Budget budget(1 << 20);
    MemoryDisk disk;
    const std::uint64_t block_nodes = 1 + random() % 9;
    const EdgeRoom on_disk{&disk, std::uint64_t{1} << 40, 4096};
    const Edges before =
        some_edges(random, budget, block_nodes, random() % 2 == 0 ? on_disk : EdgeRoom{});
    Edges after(budget, 0, block_nodes, random() % 2 == 0 ? on_disk : EdgeRoom{});
    load(after, file_of(before), before.nodes());
    expect_equal(before, after);
  }
}

// Whatever is in the file, what is taken from it can be unpacked and leads to nodes that are there.
TEST(KeptEdges, CanBeAnything) {
  Random random(2);
  std::uint64_t refused = 0;
  const std::uint64_t all = cases(20000);
  for (std::uint64_t i = 0; i < all; ++i) {
    Budget budget(1 << 20);
    const std::uint64_t block_nodes = 1 + random() % 9;
    const Edges before = some_edges(random, budget, block_nodes, {});
    File file = file_of(before);
    for (std::uint64_t k = 1 + random() % 3; k-- > 0;)
      file[random() % file.size()] = static_cast<std::uint8_t>(random());
    if (random() % 4 == 0) file.resize(random() % file.size());
    Edges after(budget, 0, block_nodes);
    try {
      load(after, file, before.nodes());
    } catch (const Error& error) {
      ASSERT_TRUE(error.fault() == Fault::integrity || error.fault() == Fault::memory);
      ++refused;
      continue;
    }
    EdgeBlock block;
    for (std::size_t b = 0; b < after.blocks(); ++b) {
      after.unpack_with_marks(b, block);
      for (std::size_t k = 0; k < block.size(); ++k)
        for (const Node target : block.targets(k)) ASSERT_LT(target, before.nodes());
    }
  }
  std::cout << refused << " of " << all << " refused\n";
  EXPECT_GT(refused, all / 4);
}

}  // namespace
}  // namespace spillway
