// Edges between nodes, made from steps between rows, against what the steps say.
#include "passes/edge_join.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "base/error.h"
#include "cases.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;
using Row = std::vector<Word>;

struct Step {
  Node source, target;
  SetMask mark;
};

// Different rows, whose words are often alike.
std::vector<Row> some_rows(Random& random, std::size_t count, std::size_t words) {
  std::set<Row> rows;
  while (rows.size() < count) {
    Row row(words);
    for (Word& word : row) word = random() % 3 == 0 ? random() : random() % 40;
    rows.insert(row);
  }
  std::vector<Row> all(rows.begin(), rows.end());
  std::shuffle(all.begin(), all.end(), random);
  return all;
}

std::vector<Step> some_steps(Random& random, Node nodes, unsigned sets) {
  std::vector<Step> steps;
  const SetMask all = sets == 64 ? ~SetMask{0} : (SetMask{1} << sets) - 1;
  for (Node source = 0; source < nodes; ++source)
    for (std::uint64_t k = random() % 5; k-- > 0;) {
      steps.push_back({source, random() % nodes, random() & random() & all});
      if (random() % 4 == 0) steps.push_back(steps.back());  // again
      if (random() % 4 == 0) steps.push_back({source, steps.back().target, random() & all});
    }
  return steps;
}

// Of each pair of nodes, the sets of all steps between them.
using Joined = std::map<std::pair<Node, Node>, SetMask>;

Joined joined(const std::vector<Step>& steps) {
  Joined all;
  for (const Step& step : steps) all[{step.source, step.target}] |= step.mark;
  return all;
}

Joined read(const Edges& edges) {
  Joined all;
  EdgeBlock block;
  for (std::size_t i = 0; i < edges.blocks(); ++i) {
    edges.unpack_with_marks(i, block);
    for (std::size_t k = 0; k < block.size(); ++k)
      for (std::size_t t = 0; t < block.targets(k).size(); ++t)
        all[{block.first() + k, block.targets(k)[t]}] = block.marks(k)[t];
  }
  return all;
}

struct Case {
  std::size_t words;
  unsigned sets;
  unsigned threads;
  std::uint64_t bytes;  // of memory for the join
};

// Adds nodes and steps in three calls.  The targets of a call are nodes by then.
void check(std::uint64_t seed, const Case& of) {
  Random random(seed);
  const Node nodes = 1 + random() % 300;
  const std::vector<Row> rows = some_rows(random, nodes, of.words);
  std::vector<Step> steps = some_steps(random, nodes, of.sets);
  const Node ends[] = {nodes / 3, nodes / 3 * 2, nodes};
  const Node known[] = {std::min(nodes, nodes / 3 + 10), nodes, nodes};  // with a level after it
  for (Step& step : steps)
    if (step.source < ends[0]) step.target %= known[0];
  Budget budget(64 << 20);
  MemoryDisk disk;
  Crew crew(of.threads);
  const EdgeJoinSettings settings{
      .words = of.words, .sets = of.sets, .bytes = of.bytes, .fan_in = 2};
  ChunkStore store(budget, disk, 200, EdgeJoin::most_block_bytes(settings),
                   random() % 2 == 0 ? 0 : budget.limit());
  const std::unique_ptr<EdgeJoin> join = EdgeJoin::make(store, crew, settings);
  const std::uint64_t reserve = random() % 2 == 0 ? 0 : budget.limit();
  Edges edges(budget, 0, 1 + random() % 50, EdgeRoom{&disk, reserve, 4096});
  const auto some_thread = [&] { return static_cast<unsigned>(random() % of.threads); };
  Node first = 0;
  Node added = 0;
  for (int call = 0; call < 3; ++call) {
    join->begin(first, nodes + random() % 100);
    for (; added < known[call]; ++added) join->add_node(some_thread(), rows[added], added);
    for (const Step& step : steps)
      if (step.source >= first && step.source < ends[call])
        random() % 3 == 0
            ? join->add_edge(some_thread(), step.source, step.target, step.mark)
            : join->add_step(some_thread(), step.source, rows[step.target], step.mark);
    join->join(edges, ends[call]);
    first = ends[call];
  }
  ASSERT_EQ(edges.nodes(), nodes);
  ASSERT_EQ(read(edges), joined(steps)) << "seed " << seed;
}

TEST(EdgeJoin, MakesTheEdgesOfAllSteps) {
  for (std::uint64_t seed = 1; seed <= scaled(60); ++seed)
    for (const Case& of : {Case{1, 0, 1, 1 << 20}, Case{1, 1, 2, 1 << 12}, Case{2, 3, 3, 1 << 12},
                           Case{4, 25, 2, 1 << 12}, Case{1, 64, 1, 1 << 13}})
      ASSERT_NO_FATAL_FAILURE(check(seed, of));
}

TEST(EdgeJoin, NoticesStepsToNowhere) {
  Budget budget(64 << 20);
  MemoryDisk disk;
  Crew crew(1);
  const EdgeJoinSettings settings;
  ChunkStore store(budget, disk, 200, EdgeJoin::most_block_bytes(settings), 0);
  const std::unique_ptr<EdgeJoin> join = EdgeJoin::make(store, crew, settings);
  Edges edges(budget, 0);
  join->begin(0, 2);
  const Word node = 7, other = 8;
  join->add_node(0, {&node, 1}, 0);
  join->add_step(0, 0, {&other, 1}, 0);
  try {
    join->join(edges, 1);
    FAIL() << "nothing was noticed";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::model);
  }
}

TEST(EdgeJoin, ReturnsItsMemory) {
  Budget budget(64 << 20);
  MemoryDisk disk;
  Crew crew(2);
  const EdgeJoinSettings settings;
  ChunkStore store(budget, disk, 200, EdgeJoin::most_block_bytes(settings), budget.limit());
  const std::unique_ptr<EdgeJoin> join = EdgeJoin::make(store, crew, settings);
  const std::uint64_t before = budget.used();
  Edges edges(budget, 0, 1024, EdgeRoom{&disk, budget.limit(), 4096});
  join->begin(0, 1000);
  for (Node rank = 0; rank < 1000; ++rank) {
    join->add_node(0, {&rank, 1}, rank);
    join->add_step(1, rank, {&rank, 1}, 1);
  }
  join->join(edges, 1000);
  EXPECT_LT(budget.used(), before + (64 << 10));  // an index of nodes and edges
  EXPECT_EQ(edges.edges(), 1000);
  EXPECT_GT(edges.disk_bytes(), 1000);
}

}  // namespace
}  // namespace spillway
