// Passes over edges against plain algorithms on matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <random>
#include <set>

#include "cases.h"
#include "passes/least_prefix.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

struct Graph {
  std::vector<std::vector<Node>> targets;   // sorted
  std::vector<std::vector<SetMask>> marks;  // of each target
  std::size_t sets = 1;
  std::vector<Node> ends;  // of levels
};

SetMask some_marks(Random& random, std::size_t sets, std::uint64_t seldom) {
  SetMask marks = 0;
  for (std::size_t s = 0; s < sets; ++s)
    if (random() % seldom == 0) marks |= SetMask{1} << s;
  return marks;
}

// Sparse graphs with cycles that are not accepting, in levels or in no order at all.
Graph some_graph(Random& random) {
  Graph graph;
  const std::size_t nodes = 1 + random() % 40;
  graph.sets = random() % 5;
  const std::uint64_t seldom = 1 + random() % 8;
  const bool short_edges = random() % 2 == 0;
  const bool of_nodes = random() % 4 == 0;  // sets are of states, so all steps from one are alike
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<Node> targets;
    for (std::uint64_t k = random() % 4; k-- > 0;)
      targets.push_back(short_edges ? std::min<Node>(nodes - 1, i + random() % 3)
                                    : random() % nodes);
    if (random() % 8 == 0) targets.push_back(random() % (i + 1));
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    graph.targets.push_back(targets);
    const SetMask of_node = some_marks(random, graph.sets, seldom);
    graph.marks.emplace_back();
    for (std::size_t k = 0; k < targets.size(); ++k)
      graph.marks.back().push_back(of_nodes ? of_node : some_marks(random, graph.sets, seldom));
  }
  for (Node end = 0; end < nodes;) {
    end = std::min<Node>(nodes, end + 1 + random() % 6);
    graph.ends.push_back(end);
  }
  return graph;
}

// By reachability: the least of the first `count` nodes on an accepting cycle among them.
std::optional<Node> reference_least(const Graph& graph, Node count) {
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
  for (Node i = 0; i < count; ++i)
    for (const Node t : graph.targets[i])
      if (t < count) reaches[i][t] = true;
  for (Node k = 0; k < count; ++k)
    for (Node i = 0; i < count; ++i)
      for (Node j = 0; reaches[i][k] && j < count; ++j)
        if (reaches[k][j]) reaches[i][j] = true;
  for (Node i = 0; i < count; ++i) {
    if (!reaches[i][i]) continue;
    SetMask met = 0;
    for (Node j = 0; j < count; ++j)
      for (std::size_t k = 0; reaches[i][j] && k < graph.targets[j].size(); ++k)
        if (const Node to = graph.targets[j][k]; to < count && reaches[to][i])
          met |= graph.marks[j][k];
    if (met == (SetMask{1} << graph.sets) - 1) return i;
  }
  return std::nullopt;
}

// By distances to the end, from the end: then the least next node that comes nearer.
std::vector<Node> reference_cycle(const Graph& graph, Node count, Node first) {
  const SetMask all = (SetMask{1} << graph.sets) - 1;
  constexpr unsigned kFar = 1U << 30;
  std::vector<std::vector<unsigned>> far(count, std::vector<unsigned>(all + 1, kFar));
  const auto step = [&](Node from, std::size_t k, SetMask met) {
    const Node target = graph.targets[from][k];
    met |= graph.marks[from][k];
    if (target >= count) return kFar;
    if (target == first && met == all) return 1U;
    return far[target][met] + 1;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Node i = 0; i < count; ++i)
      for (SetMask met = 0; met <= all; ++met)
        for (std::size_t k = 0; k < graph.targets[i].size(); ++k)
          if (step(i, k, met) < far[i][met]) {
            far[i][met] = step(i, k, met);
            changed = true;
          }
  }
  std::vector<Node> cycle;
  SetMask met = 0;
  for (Node at = first;;) {
    std::size_t k = 0;
    while (step(at, k, met) != far[at][met]) ++k;
    met |= graph.marks[at][k];
    at = graph.targets[at][k];
    cycle.push_back(at);
    if (at == first && met == all) return cycle;
  }
}

std::optional<AcceptingCycle> reference(const Graph& graph) {
  for (std::uint64_t levels = 1; levels <= graph.ends.size(); ++levels) {
    const Node count = graph.ends[levels - 1];
    if (const std::optional<Node> first = reference_least(graph, count))
      return AcceptingCycle{levels, *first, reference_cycle(graph, count, *first)};
  }
  return std::nullopt;
}

struct Packed {
  Packed(const Graph& graph, Budget& budget, std::uint64_t block_nodes, EdgeRoom room = {})
      : edges(budget, graph.targets.size(), block_nodes, room) {
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      EdgeBlock block;
      block.begin(edges.begin(i));
      for (Node node = edges.begin(i); node < edges.end(i); ++node)
        block.add(graph.targets[node], graph.marks[node]);
      edges.put(i, block);
    }
    edges.settle();
  }
  Edges edges;
};

TEST(Edges, AreThoseThatWerePut) {
  Random random(1);
  Budget budget(std::uint64_t{1} << 24);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t nodes = 1 + random() % 50;
    const std::uint64_t limit = std::uint64_t{1} << random() % 63;
    const SetMask possible = random() % 3 == 0 ? 0 : random() & random();
    const bool alike = random() % 4 == 0;
    Edges edges(budget, nodes, 1 + random() % 9);
    std::vector<std::map<Node, SetMask>> wanted(nodes);
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      EdgeBlock block;
      block.begin(edges.begin(i));
      for (Node node = edges.begin(i); node < edges.end(i); ++node) {
        std::vector<Node> targets;
        std::vector<SetMask> marks;
        for (std::uint64_t k = random() % 5; k-- > 0;) {
          targets.push_back(random() % limit);
          marks.push_back(alike ? possible : random() & possible);
          wanted[node][targets.back()] |= marks.back();
        }
        if (alike)
          block.add(targets, possible);
        else
          block.add(targets, marks);
      }
      edges.put(i, block);
    }
    std::uint64_t count = 0;
    for (Node node = 0; node < nodes; ++node) {
      count += wanted[node].size();
      EdgeBlock block;
      edges.unpack_with_marks(edges.block_of(node), block);
      std::map<Node, SetMask> found;
      const auto targets = block.targets(node - block.first());
      for (std::size_t k = 0; k < targets.size(); ++k) {
        const SetMask mark = block.marks(node - block.first())[k];
        found[targets[k]] = mark;
        EXPECT_EQ(mark & ~edges.all_marks(edges.block_of(node)), 0U);
        EXPECT_EQ(edges.common_marks(edges.block_of(node)) & ~mark, 0U);
      }
      ASSERT_TRUE(std::ranges::is_sorted(targets));
      ASSERT_EQ(targets.size(), found.size());
      ASSERT_EQ(found, wanted[node]) << "node " << node;
    }
    EXPECT_EQ(edges.edges(), count);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Edges, CanBecomeMore) {
  Budget budget(std::uint64_t{1} << 24);
  Edges edges(budget, 0, 4);
  EdgeBlock block, out;
  for (Node nodes = 1; nodes <= 11; ++nodes) {
    edges.extend(nodes);
    if ((nodes - 1) % 4 == 0) block.begin(nodes - 1);
    block.add(std::vector<Node>{0, nodes}, nodes);
    edges.put(edges.blocks() - 1, block);
    EXPECT_EQ(edges.edges(), 2 * nodes);
    for (Node node = 0; node < nodes; ++node) {
      edges.unpack_with_marks(edges.block_of(node), out);
      EXPECT_EQ(out.targets(node % 4)[1], node + 1);
      EXPECT_EQ(out.marks(node % 4)[1], node + 1);
    }
  }
}

// What marks cost: nothing if they are equal, and a bit for each edge if there are two.
TEST(Edges, TakeFewBytesForMarks) {
  Budget budget(std::uint64_t{1} << 24);
  const auto bytes = [&](const std::vector<SetMask>& marks) {
    Edges edges(budget, 1000, 1000);
    EdgeBlock block;
    block.begin(0);
    for (Node node = 0; node < 1000; ++node)
      block.add(std::vector<Node>{node, node + 1}, marks[node % marks.size()]);
    edges.put(0, block);
    return edges.bytes();
  };
  EXPECT_EQ(bytes({7}), bytes({0}));
  EXPECT_LE(bytes({0, 7}), bytes({0}) + 260);
}

TEST(LeastPrefix, AgreesWithReachabilityOnRandomGraphs) {
  Random random(2);
  Budget budget(std::uint64_t{1} << 26);
  MemoryDisk disk;
  Crew one(1), three(3);
  std::uint64_t accepting = 0;
  const std::uint64_t count = cases(20000);
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(testing::Message() << "graph " << i);
    const Graph graph = some_graph(random);
    const EdgeRoom on_disk{
        &disk, budget.limit(), 4096,
        random() % 2 == 0 ? BitVector::Medium::disk : BitVector::Medium::memory_if_there_is_room};
    const Packed packed(graph, budget, 1 + random() % 12, random() % 8 == 0 ? on_disk : EdgeRoom{});
    LeastPrefix prefix(
        packed.edges, all_sets(graph.sets), graph.ends, budget, i % 8 == 0 ? three : one,
        {.most_passes = random() % 3 == 0 ? random() % 3 : 24, .components = random() % 4 != 0});
    const std::optional<AcceptingCycle> found = prefix.find(), wanted = reference(graph);
    ASSERT_EQ(found.has_value(), wanted.has_value());
    if (!found) continue;
    ++accepting;
    ASSERT_EQ(found->levels, wanted->levels);
    ASSERT_EQ(found->first, wanted->first);
    ASSERT_EQ(found->nodes, wanted->nodes);
  }
  EXPECT_GT(accepting, count / 5);
  EXPECT_LT(accepting, count * 4 / 5);
  EXPECT_EQ(budget.used(), 0U);
}

// In a wide ring, a search that remembers the way to each node takes more memory than there is.
TEST(LeastPrefix, FindsLongCyclesInLittleMemory) {
  constexpr Node kLong = 200;
  constexpr Node kWide = 100;
  Graph ring;  // node i * kWide + j
  for (Node i = 0; i < kLong; ++i)
    for (Node j = 0; j < kWide; ++j) {
      const Node next = (i + 1) % kLong * kWide;
      ring.targets.push_back({next + j / 2, next + kWide - 1 - j / 2});
      ring.marks.emplace_back(2, i == kLong / 2 ? 1 : 0);
    }
  ring.ends = {kLong * kWide};
  Budget budget(std::uint64_t{512} << 10);
  MemoryDisk disk;
  Crew crew(2);
  const Packed packed(ring, budget, 1024, {&disk, budget.limit(), 4096});
  const std::optional<AcceptingCycle> found =
      LeastPrefix(packed.edges, 1, ring.ends, budget, crew, {}).find();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->first, 0);
  ASSERT_EQ(found->nodes.size(), kLong);
  for (Node i = 0; i < kLong; ++i) ASSERT_EQ(found->nodes[i], (i + 1) % kLong * kWide);
}

// Chains that each pass shortens by one: passes alone would take as many as there are.
TEST(LeastPrefix, EndsOnCombsAndChainsOfCycles) {
  constexpr Node kTeeth = 1000;
  constexpr Node kLong = 20;
  Budget budget(std::uint64_t{1} << 26);
  Crew crew(2);
  for (const bool accepts_all : {true, false}) {
    Graph comb;  // of tooth i, node j is kTeeth * j + i; its end leads to the next tooth
    for (Node j = 0; j < kLong; ++j)
      for (Node i = 0; i < kTeeth; ++i) {
        comb.targets.emplace_back();
        if (j + 1 < kLong)
          comb.targets.back().push_back(kTeeth * (j + 1) + i);
        else if (i + 1 < kTeeth)
          comb.targets.back().push_back(i + 1);
        comb.marks.emplace_back(comb.targets.back().size(), accepts_all || j == 0 ? 1 : 0);
      }
    comb.ends = {comb.targets.size()};
    const Packed packed(comb, budget, 64);
    LeastPrefix prefix(packed.edges, 1, comb.ends, budget, crew, {});
    EXPECT_FALSE(prefix.find());
    EXPECT_LE(prefix.counts().passes, 24U);
  }
  Graph chain;  // pairs of nodes that lead to each other, with an accepting node between two pairs
  for (Node i = 0; i < kTeeth; ++i) {
    chain.targets.insert(chain.targets.end(), {{3 * i + 1}, {3 * i, 3 * i + 2}, {3 * i + 3}});
    chain.marks.insert(chain.marks.end(), {{0}, {0, 0}, {1}});
  }
  chain.targets.back().clear();
  chain.marks.back().clear();
  chain.ends = {chain.targets.size()};
  const Packed packed(chain, budget, 64);
  LeastPrefix prefix(packed.edges, 1, chain.ends, budget, crew, {});
  EXPECT_FALSE(prefix.find());
  EXPECT_LE(prefix.counts().passes, 24U);
}

// The level that comes next has numbers, but no edges.
TEST(LeastPrefix, EdgesMayLeadToNodesThatAreNotThereYet) {
  constexpr Node kNodes = 1 << 15, kFar = Node{1} << 30;
  Budget budget(std::uint64_t{1} << 30);
  Crew crew(1);
  Graph graph;
  graph.targets.assign(kNodes, {kFar - 1});
  graph.marks.assign(kNodes, {1});
  graph.ends = {kNodes};
  const Packed packed(graph, budget, 64);
  LeastPrefixSettings settings;
  settings.targets = kFar;
  EXPECT_FALSE(LeastPrefix(packed.edges, 1, graph.ends, budget, crew, settings).find());
}

// The processor time for a cycle in the first block, while the set has bits far behind the last
// one.
double seconds_with_blocks_of(std::uint64_t block_nodes) {
  constexpr Node kNodes = 1 << 15, kFar = Node{1} << 28;
  Budget budget(std::uint64_t{1} << 30);
  Crew crew(1);
  Graph graph;
  graph.targets.assign(kNodes, {kFar - 1});
  graph.marks.assign(kNodes, {0});
  graph.targets[0] = {0};
  graph.marks[0] = {1};
  graph.ends = {kNodes};
  const Packed packed(graph, budget, block_nodes);
  LeastPrefixSettings settings;
  settings.targets = kFar;
  const std::clock_t begin = std::clock();
  EXPECT_TRUE(LeastPrefix(packed.edges, 1, graph.ends, budget, crew, settings).find());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// Whether a block has nodes of the set is seen from that block, however far the next one is.  If
// each of them looked as far as that, 512 blocks would take more than 50 times as long as one.
TEST(LeastPrefix, TakesNoLongerForEmptyBlocks) {
  const double one_block = seconds_with_blocks_of(1 << 15);
  EXPECT_LT(seconds_with_blocks_of(64), 10 * one_block + 0.1);
}

// With many sets, the cycle need not be shortest, but it is one, and it meets all sets.
TEST(LeastPrefix, MeetsAllOf64Sets) {
  constexpr Node kNodes = 80;
  Random random(3);
  Budget budget(std::uint64_t{1} << 26);
  Crew crew(2);
  for (int round = 0; round < 20; ++round) {
    Graph graph;
    for (Node i = 0; i < kNodes; ++i) {
      std::set<Node> to{(i + 1) % kNodes, random() % kNodes};
      graph.targets.emplace_back(to.begin(), to.end());
      graph.marks.emplace_back();
      for (const Node t : to)
        graph.marks.back().push_back(t == (i + 1) % kNodes ? SetMask{1} << i % 64 : 0);
    }
    graph.sets = 64;
    graph.ends = {kNodes};
    const Packed packed(graph, budget, 16);
    LeastPrefix prefix(packed.edges, all_sets(64), graph.ends, budget, crew, {});
    const std::optional<AcceptingCycle> found = prefix.find();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->first, 0U);
    ASSERT_FALSE(found->nodes.empty());
    EXPECT_EQ(found->nodes.back(), found->first);
    SetMask met = 0;
    Node at = found->first;
    for (const Node next : found->nodes) {
      const auto place = std::ranges::find(graph.targets[at], next);
      ASSERT_NE(place, graph.targets[at].end());
      met |= graph.marks[at][static_cast<std::size_t>(place - graph.targets[at].begin())];
      at = next;
    }
    EXPECT_EQ(met, all_sets(64));
  }
}

}  // namespace
}  // namespace spillway
