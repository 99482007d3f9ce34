// The edges of a complete search are taken from its checkpoints, or made again.
#include "check/graph/kept_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "unit/check/searched_graph.h"

namespace spillway {
namespace {

using Bytes8 = std::vector<std::uint8_t>;

// In memory.
class SomeCheckpoints final : public Checkpoints {
 public:
  bool due(const Session& /*session*/) override { return true; }
  void keep_extra(const std::string& what,
                  const std::function<void(const PutBytes&)>& fill) override {
    Bytes8& into = kept[what];
    into.clear();
    fill([&](std::span<const std::uint8_t> bytes) {
      into.insert(into.end(), bytes.begin(), bytes.end());
    });
  }
  bool read_extra(const std::string& what,
                  const std::function<void(const GetBytes&)>& use) override {
    if (!kept.contains(what)) return false;
    std::span<const std::uint8_t> rest = kept[what];
    use([&](std::span<std::uint8_t> into) {
      if (into.size() > rest.size()) throw Error(Fault::integrity, "it ends too early");
      std::ranges::copy(rest.first(into.size()), into.begin());
      rest = rest.subspan(into.size());
    });
    return true;
  }

  std::map<std::string, Bytes8> kept;
};

// One level of one state and one of two, which lead to each other.
struct Graph {
  explicit Graph(Checkpoints& checkpoints) { graph.keep_in(checkpoints); }

  void make() {
    numbers.end_level(1);
    numbers.end_level(3);
    edges.extend(3);
    EdgeBlock block;
    block.begin(0);
    block.add(std::vector<Node>{1, 2});
    block.add(std::vector<Node>{2});
    block.add(std::vector<Node>{1});
    edges.put(0, block);
    edges.settle();
    has_dead_ends = true;
  }

  SearchedGraph of{"initial a\na -> b c\nb -> c\nc -> b\n"};
  NumberedLevels numbers = of.numbers();
  Edges edges{of.budget, 0};
  bool has_dead_ends = false;
  KeptGraph graph{of.session, NumberedLevels::Kept::all, {numbers, edges, has_dead_ends}};
};

TEST(KeptGraph, IsTakenByALaterProcess) {
  SomeCheckpoints checkpoints;
  {
    Graph first(checkpoints);
    EXPECT_FALSE(first.graph.take(2)) << "there is none";
    EXPECT_TRUE(first.of.told.empty());
    first.make();
    first.graph.save();
  }
  Graph later(checkpoints);
  ASSERT_TRUE(later.graph.take(2));
  EXPECT_EQ(later.numbers.ends(), (std::vector<Node>{1, 3}));
  EXPECT_TRUE(later.has_dead_ends);
  EXPECT_EQ(later.edges.nodes(), 3U);
  EdgeBlock block;
  later.edges.unpack(0, block);
  EXPECT_EQ(std::vector<Node>(block.targets(0).begin(), block.targets(0).end()),
            (std::vector<Node>{1, 2}));
  ASSERT_EQ(later.of.told.size(), 1U);
  EXPECT_EQ(later.of.told[0], "the edges between the states were kept, and are read");
}

void expect_refused(SomeCheckpoints& checkpoints, std::uint64_t levels) {
  Graph later(checkpoints);
  EXPECT_FALSE(later.graph.take(levels));
  EXPECT_EQ(later.numbers.levels(), 0U);
  EXPECT_EQ(later.edges.nodes(), 0U);
  ASSERT_EQ(later.of.told.size(), 1U);
  EXPECT_TRUE(later.of.told[0].starts_with("edges are made again: ")) << later.of.told[0];
}

TEST(KeptGraph, IsNotThatOfOtherLevels) {
  SomeCheckpoints checkpoints;
  {
    Graph first(checkpoints);
    first.make();
    first.graph.save();
  }
  expect_refused(checkpoints, 1);
  Bytes8& kept = checkpoints.kept.at("steps");
  kept[8] = 2;  // states of the first level
  expect_refused(checkpoints, 2);
}

TEST(KeptGraph, IsMadeAgainIfItCannotBeRead) {
  SomeCheckpoints checkpoints;
  {
    Graph first(checkpoints);
    first.make();
    first.graph.save();
  }
  checkpoints.kept.at("steps").pop_back();
  expect_refused(checkpoints, 2);
}

}  // namespace
}  // namespace spillway
