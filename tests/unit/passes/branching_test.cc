// The operators of branching time, against their definitions by paths.
#include "passes/branching.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "cases.h"
#include "support/memory_disk.h"
#include "unit/passes/some_graphs.h"

namespace spillway {
namespace {

BitVector bits(const Nodes& nodes, Budget& budget) {
  BitVector set(budget, nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]) set.set(i);
  return set;
}
Nodes nodes_of(const BitVector& set) {
  Nodes nodes(set.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = set.get(i);
  return nodes;
}

// By walking on from each node.
Nodes next_by_paths(const Targets& targets, const Nodes& set) {
  Nodes found(targets.size());
  for (Node i = 0; i < targets.size(); ++i)
    for (const Node t : targets[i]) found[i] = found[i] || set[t];
  return found;
}
bool reaches(const Targets& targets, const Nodes& among, const Nodes& set, Node from) {
  Nodes seen(targets.size());
  std::vector<Node> open{from};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (set[node]) return true;
    if (!among[node] || seen[node]) continue;
    seen[node] = true;
    open.insert(open.end(), targets[node].begin(), targets[node].end());
  }
  return false;
}
Nodes until_by_paths(const Targets& targets, const Nodes& among, const Nodes& set) {
  Nodes found(targets.size());
  for (Node i = 0; i < targets.size(); ++i) found[i] = reaches(targets, among, set, i);
  return found;
}
// A path as long as there are nodes goes round.
Nodes always_by_paths(const Targets& targets, const Nodes& set) {
  Nodes found = set;
  for (std::size_t steps = 0; steps < targets.size(); ++steps) {
    Nodes longer = next_by_paths(targets, found);
    for (std::size_t i = 0; i < set.size(); ++i) longer[i] = longer[i] && set[i];
    found = longer;
  }
  return found;
}

TEST(Branching, AgreesWithPathsOnRandomGraphs) {
  Random random(19);
  Budget budget(std::uint64_t{1} << 24);
  Crew one(1), three(3);
  std::uint64_t worklists = 0, some = 0;
  const std::uint64_t count = cases(20000);
  for (std::uint64_t i = 0; i < count; ++i) {
    SCOPED_TRACE(testing::Message() << "graph " << i);
    const Targets targets = some_targets(random);
    const Edges edges = packed(targets, budget, 1 + random() % 12);
    const Nodes among = some_nodes(random, targets.size());
    const Nodes set = some_nodes(random, targets.size());
    Branching branching(edges, budget, i % 8 == 0 ? three : one,
                        {.most_passes = random() % 2 == 0 ? random() % 3 : 24});
    const BitVector among_bits = bits(among, budget), set_bits = bits(set, budget);

    BitVector next(budget, targets.size());
    branching.next(set_bits, next);
    ASSERT_EQ(nodes_of(next), next_by_paths(targets, set));
    BitVector until = bits(set, budget);
    branching.until(&among_bits, until);
    ASSERT_EQ(nodes_of(until), until_by_paths(targets, among, set));
    BitVector reach = bits(set, budget);
    branching.until(nullptr, reach);
    ASSERT_EQ(nodes_of(reach), until_by_paths(targets, Nodes(targets.size(), true), set));
    BitVector always = bits(set, budget);
    branching.always(always);
    ASSERT_EQ(nodes_of(always), always_by_paths(targets, set));
    worklists += branching.counts().worklists;
    if (until.count() > set_bits.count() && until.count() < targets.size() && always.count() != 0 &&
        always.count() < set_bits.count())
      ++some;
  }
  EXPECT_GT(worklists, count / 4);
  EXPECT_GT(some, count / 20);
  EXPECT_EQ(budget.used(), 0U);
}

// Node i leads to the one before it, the last node of a tooth to the next tooth: one pass gets one
// tooth further.
Targets comb(Node teeth, Node size) {
  Targets all(teeth * size);
  for (Node tooth = 0; tooth < teeth; ++tooth)
    for (Node i = 0; i < size; ++i) {
      const Node node = i * teeth + tooth;
      if (i + 1 < size)
        all[node].push_back(node + teeth);
      else if (tooth + 1 < teeth)
        all[node].push_back(tooth + 1);
    }
  return all;
}

TEST(Branching, EndsOnCombsAfterFewPasses) {
  const Targets targets = comb(1000, 20);
  Budget budget(std::uint64_t{1} << 24);
  Crew crew(2);
  const Edges edges = packed(targets, budget, 64);
  Branching branching(edges, budget, crew, {});
  BitVector last(budget, targets.size());
  last.set(targets.size() - 1);
  branching.until(nullptr, last);
  EXPECT_EQ(last.count(), targets.size());
  EXPECT_EQ(branching.counts().worklists, 1U);
  BitVector all(budget, targets.size());
  all.fill(targets.size());
  branching.always(all);
  EXPECT_EQ(all.count(), 0U);
  EXPECT_EQ(branching.counts().worklists, 2U);
  EXPECT_LE(branching.counts().passes, 48U);
}

TEST(Branching, DoesWithoutAWorklistIfThereIsNoMemory) {
  const Targets targets = comb(100, 20);
  Budget whole(std::uint64_t{1} << 24);
  Crew crew(2);
  const Edges edges = packed(targets, whole, 64);
  Budget budget(3 * 4096);
  Branching branching(edges, budget, crew, {.most_passes = 3});
  BitVector last(budget, targets.size());
  last.set(targets.size() - 1);
  branching.until(nullptr, last);
  EXPECT_EQ(last.count(), targets.size());
  branching.always(last);
  EXPECT_EQ(last.count(), 0U);
  EXPECT_EQ(branching.counts().worklists, 0U);
  EXPECT_GT(branching.counts().passes, 100U);
}

// There is room for the worklist, and then none for a block of edges that has to be read for it.
TEST(Branching, DoesWithoutAWorklistIfNoBlockCanBeReadBesideIt) {
  const Targets targets = comb(100, 20);
  constexpr std::size_t kBlock = 16 << 10;
  MemoryDisk disk;
  Budget budget(std::uint64_t{1} << 20);
  Crew one(1);
  const Edges edges = packed(targets, budget, 64, {&disk, budget.limit(), kBlock});
  BitVector set(budget, targets.size());
  const std::uint64_t nodes = (targets.size() + 1) * 12;
  for (const std::uint64_t left : {nodes + 64, nodes + kBlock - 64}) {
    const Claim others(budget, budget.left() - left);
    Branching branching(edges, budget, one, {.most_passes = 3});
    set.fill(0);
    set.set(targets.size() - 1);
    branching.until(nullptr, set);
    EXPECT_EQ(set.count(), targets.size());
    branching.always(set);
    EXPECT_EQ(set.count(), 0U);
    EXPECT_EQ(branching.counts().worklists, 0U);
  }
}

TEST(Branching, EndsWhenPollThrows) {
  const Targets targets = comb(100, 20);
  Budget budget(std::uint64_t{1} << 24);
  Crew crew(1);
  const Edges edges = packed(targets, budget, 64);
  for (const int at : {1, 2, 40, 99, 100}) {  // once before a pass, and once for each block
    int polls = 0;
    Branching branching(edges, budget, crew, {.poll = [&] {
                          if (++polls == at) throw Error(Fault::usage, "stop");
                        }});
    BitVector last(budget, targets.size());
    last.set(targets.size() - 1);
    EXPECT_THROW(branching.until(nullptr, last), Error);
    const auto before = static_cast<std::size_t>(at - 1);
    EXPECT_EQ(branching.counts().passes, (before + edges.blocks()) / (edges.blocks() + 1)) << at;
  }
}

}  // namespace
}  // namespace spillway
