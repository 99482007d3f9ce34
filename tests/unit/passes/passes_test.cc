// Passes over edges against plain algorithms on matrices.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "passes/least_prefix.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

struct Graph {
  std::vector<std::vector<Rank>> targets;  // sorted
  std::vector<SetMask> marks;
  std::size_t sets = 1;
  std::vector<Rank> ends;  // of levels
};

std::uint64_t cases(std::uint64_t otherwise) {
  const char* wanted = std::getenv("SPILLWAY_CASES");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : otherwise;
}

// Sparse graphs with cycles that are not accepting, in levels or in no order at all.
Graph some_graph(Random& random) {
  Graph graph;
  const std::size_t nodes = 1 + random() % 40;
  graph.sets = random() % 5;
  const std::uint64_t seldom = 1 + random() % 8;
  const bool short_edges = random() % 2 == 0;
  for (std::size_t i = 0; i < nodes; ++i) {
    std::vector<Rank> targets;
    for (std::uint64_t k = random() % 4; k-- > 0;)
      targets.push_back(short_edges ? std::min<Rank>(nodes - 1, i + random() % 3)
                                    : random() % nodes);
    if (random() % 8 == 0) targets.push_back(random() % (i + 1));
    std::ranges::sort(targets);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    graph.targets.push_back(targets);
    graph.marks.push_back(0);
    for (std::size_t s = 0; s < graph.sets; ++s)
      if (random() % seldom == 0) graph.marks.back() |= SetMask{1} << s;
  }
  for (Rank end = 0; end < nodes;) {
    end = std::min<Rank>(nodes, end + 1 + random() % 6);
    graph.ends.push_back(end);
  }
  return graph;
}

// By reachability: the least of the first `count` nodes on an accepting cycle among them.
std::optional<Rank> reference_least(const Graph& graph, Rank count) {
  std::vector<std::vector<bool>> reaches(count, std::vector<bool>(count));
  for (Rank i = 0; i < count; ++i)
    for (const Rank t : graph.targets[i])
      if (t < count) reaches[i][t] = true;
  for (Rank k = 0; k < count; ++k)
    for (Rank i = 0; i < count; ++i)
      for (Rank j = 0; reaches[i][k] && j < count; ++j)
        if (reaches[k][j]) reaches[i][j] = true;
  for (Rank i = 0; i < count; ++i) {
    if (!reaches[i][i]) continue;
    SetMask met = 0;
    for (Rank j = 0; j < count; ++j)
      if (reaches[i][j] && reaches[j][i]) met |= graph.marks[j];
    if (met == (SetMask{1} << graph.sets) - 1) return i;
  }
  return std::nullopt;
}

// By distances to the end, from the end: then the least next node that comes nearer.
std::vector<Rank> reference_cycle(const Graph& graph, Rank count, Rank first) {
  const SetMask all = (SetMask{1} << graph.sets) - 1;
  constexpr unsigned kFar = 1U << 30;
  std::vector<std::vector<unsigned>> far(count, std::vector<unsigned>(all + 1, kFar));
  const auto step = [&](Rank target, SetMask met) {
    met |= graph.marks[target];
    if (target == first && met == all) return 1U;
    return far[target][met] + 1;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (Rank i = 0; i < count; ++i)
      for (SetMask met = 0; met <= all; ++met)
        for (const Rank t : graph.targets[i])
          if (t < count && step(t, met) < far[i][met]) {
            far[i][met] = step(t, met);
            changed = true;
          }
  }
  std::vector<Rank> cycle;
  SetMask met = 0;
  for (Rank at = first;;) {
    for (const Rank t : graph.targets[at]) {
      if (t >= count || step(t, met) != far[at][met]) continue;
      at = t;
      break;
    }
    met |= graph.marks[at];
    cycle.push_back(at);
    if (at == first && met == all) return cycle;
  }
}

std::optional<AcceptingCycle> reference(const Graph& graph) {
  for (std::uint64_t levels = 1; levels <= graph.ends.size(); ++levels) {
    const Rank count = graph.ends[levels - 1];
    if (const std::optional<Rank> first = reference_least(graph, count))
      return AcceptingCycle{levels, *first, reference_cycle(graph, count, *first)};
  }
  return std::nullopt;
}

struct Packed {
  Packed(const Graph& graph, Budget& budget, std::uint64_t block_nodes)
      : edges(budget, graph.targets.size(), block_nodes) {
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      EdgeBlock block;
      block.begin(edges.begin(i));
      for (Rank node = edges.begin(i); node < edges.end(i); ++node) block.add(graph.targets[node]);
      edges.put(i, block);
    }
    for (std::size_t s = 0; s < graph.sets; ++s) {
      sets.emplace_back(budget, graph.targets.size());
      for (Rank node = 0; node < graph.targets.size(); ++node)
        if ((graph.marks[node] >> s & 1) != 0) sets.back().set(node);
    }
  }
  Edges edges;
  AcceptanceSets sets;
};

TEST(Edges, AreThoseThatWerePut) {
  Random random(1);
  Budget budget(std::uint64_t{1} << 24);
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t nodes = 1 + random() % 50;
    const std::uint64_t limit = std::uint64_t{1} << random() % 63;
    Edges edges(budget, nodes, 1 + random() % 9);
    std::vector<std::vector<Rank>> wanted(nodes);
    for (std::size_t i = 0; i < edges.blocks(); ++i) {
      EdgeBlock block;
      block.begin(edges.begin(i));
      for (Rank node = edges.begin(i); node < edges.end(i); ++node) {
        for (std::uint64_t k = random() % 5; k-- > 0;) wanted[node].push_back(random() % limit);
        block.add(wanted[node]);
      }
      edges.put(i, block);
    }
    std::uint64_t count = 0;
    for (Rank node = 0; node < nodes; ++node) {
      std::ranges::sort(wanted[node]);
      wanted[node].erase(std::unique(wanted[node].begin(), wanted[node].end()), wanted[node].end());
      count += wanted[node].size();
      EdgeBlock block;
      edges.unpack(edges.block_of(node), block);
      const auto targets = block.targets(node - block.first());
      ASSERT_TRUE(std::ranges::equal(targets, wanted[node])) << "node " << node;
    }
    EXPECT_EQ(edges.edges(), count);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(LeastPrefix, AgreesWithReachabilityOnRandomGraphs) {
  Random random(2);
  Budget budget(std::uint64_t{1} << 26);
  Crew one(1), three(3);
  std::uint64_t accepting = 0;
  const std::uint64_t count = cases(20000);
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(testing::Message() << "graph " << i);
    const Graph graph = some_graph(random);
    const Packed packed(graph, budget, 1 + random() % 12);
    LeastPrefix prefix(packed.edges, packed.sets, graph.ends, budget, i % 8 == 0 ? three : one,
                       {random() % 3 == 0 ? random() % 3 : 24});
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

// Chains that each pass shortens by one: passes alone would take as many as there are.
TEST(LeastPrefix, EndsOnCombsAndChainsOfCycles) {
  constexpr Rank kTeeth = 1000;
  constexpr Rank kLong = 20;
  Budget budget(std::uint64_t{1} << 26);
  Crew crew(2);
  for (const bool accepts_all : {true, false}) {
    Graph comb;  // of tooth i, node j is kTeeth * j + i; its end leads to the next tooth
    for (Rank j = 0; j < kLong; ++j)
      for (Rank i = 0; i < kTeeth; ++i) {
        comb.targets.emplace_back();
        if (j + 1 < kLong)
          comb.targets.back().push_back(kTeeth * (j + 1) + i);
        else if (i + 1 < kTeeth)
          comb.targets.back().push_back(i + 1);
        comb.marks.push_back(accepts_all || j == 0 ? 1 : 0);
      }
    comb.ends = {comb.targets.size()};
    const Packed packed(comb, budget, 64);
    LeastPrefix prefix(packed.edges, packed.sets, comb.ends, budget, crew, {});
    EXPECT_FALSE(prefix.find());
    EXPECT_LE(prefix.counts().passes, 24U);
  }
  Graph chain;  // pairs of nodes that lead to each other, with an accepting node between two pairs
  for (Rank i = 0; i < kTeeth; ++i) {
    chain.targets.insert(chain.targets.end(), {{3 * i + 1}, {3 * i, 3 * i + 2}, {3 * i + 3}});
    chain.marks.insert(chain.marks.end(), {0, 0, 1});
  }
  chain.targets.back().clear();
  chain.ends = {chain.targets.size()};
  const Packed packed(chain, budget, 64);
  LeastPrefix prefix(packed.edges, packed.sets, chain.ends, budget, crew, {});
  EXPECT_FALSE(prefix.find());
  EXPECT_LE(prefix.counts().passes, 24U);
}

}  // namespace
}  // namespace spillway
