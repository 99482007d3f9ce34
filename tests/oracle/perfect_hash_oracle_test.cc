// Accepting cycles of random graphs, by the searches with a perfect hash, against a plain
// reference.  Buffers have room for one element, parts of the hash are small, and the hash notices
// when it is asked for a state that it was not made of.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "cases.h"
#include "check/check.h"
#include "oracle/expected_lasso.h"
#include "oracle/random_graph.h"
#include "papers/cycles/iterative_deepening.h"
#include "papers/cycles/semi_external.h"
#include "search/runs/sorted_runs.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

thread_local SortedRunsSettings runs_in_use;
thread_local IterativeSettings settings_in_use;

std::unique_ptr<ExternalBfs> make_bfs(const SearchContext& context) {
  return make_sorted_runs(context, runs_in_use);
}

const Algorithm kSearches[] = {
    {"semi-external", "",
     [](const SearchContext& context) {
       return make_semi_external(context, make_bfs, settings_in_use);
     }},
    {"iterative-deepening", "",
     [](const SearchContext& context) {
       return make_iterative_deepening(context, make_bfs, settings_in_use);
     }},
};

void arbitrary_settings() {
  runs_in_use = {};
  runs_in_use.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  runs_in_use.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  runs_in_use.chunk_bytes = *one_of<std::size_t>({1, 30, 100, 4096});
  runs_in_use.candidate_rows = *one_of<std::size_t>({1, 2, 3, 10, 1000});
  runs_in_use.merge_rows = *one_of<std::size_t>({1, 7, 100});
  runs_in_use.squeeze_states = *one_of<std::size_t>({1, 2, 5, 20, 1000});
  settings_in_use = {};
  settings_in_use.block_rows = *one_of<std::size_t>({1, 1, 2, 1000});
  settings_in_use.hash.check_values = true;
  settings_in_use.hash.part_keys = *one_of<std::uint32_t>({1, 2, 10, 50'000});
  settings_in_use.hash.sort_rows = *one_of<std::size_t>({1, 2, 100});
  settings_in_use.hash.disk_blocks = *one_of<std::size_t>({1, 3});
  settings_in_use.first_check = *one_of<std::uint64_t>({1, 5, 1000});
  settings_in_use.growth = *one_of<double>({1, 1.5, 4});
}

CheckOptions options_for(bool hash_on_disk) {
  CheckOptions options;
  options.session.threads = *rc::gen::inRange(1U, 4U);
  options.memory_bytes = std::uint64_t{64} << 20;
  options.hash_on_disk = hash_on_disk;
  options.verify = true;
  return options;
}

TEST(PerfectHashSearches, FindAnAcceptingCycleIfTheReferenceDoes) {
  std::uint64_t cycles = 0, graphs = 0;
  EXPECT_TRUE(rc::check("searches with a perfect hash", [&] {
    const GraphSpec graph = arbitrary_graph_with_acceptance();
    if (graph.initial.empty()) return;
    const TestGraph model(graph);
    const std::optional<ExpectedLasso> expected = expected_lasso(model);
    ++graphs;
    cycles += expected ? 1 : 0;
    for (const Algorithm& algorithm : kSearches) {
      arbitrary_settings();
      const bool on_disk = *rc::gen::inRange(0, 2) == 0;
      const CheckResult result = check_in_memory(model, algorithm, options_for(on_disk));
      const std::string why = difference_in_verdict(result, expected);
      if (why.empty()) continue;
      std::cerr << graph.text() << "# " << algorithm.name << ": " << why << "\n";
      RC_FAIL(why);
    }
  }));
  std::cout << graphs << " graphs, " << cycles << " with an accepting cycle\n";
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

// Seeds 1, then 0: the order in which they are left.  In the order in which they are met, 0 visits
// all states, and 1 finds nothing.
TEST(PerfectHashSearches, TakeSeedsInTheOrderInWhichTheyAreLeft) {
  GraphSpec graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 1}};
  graph.initial = {0};
  graph.accepting = {0, 1};
  runs_in_use = {};
  settings_in_use = {};
  settings_in_use.first_check = 1;
  settings_in_use.growth = 1;
  const TestGraph model(graph);
  CheckOptions options;
  options.memory_bytes = std::uint64_t{64} << 20;
  for (const Algorithm& algorithm : kSearches)
    EXPECT_EQ(check_in_memory(model, algorithm, options).verdict.exit, Exit::reachable)
        << algorithm.name;
}

// A cycle at the beginning, and a long path behind it that need not be searched.
TEST(PerfectHashSearches, FindCyclesBeforeAllStatesAreFound) {
  GraphSpec graph;
  graph.edges = {{0, 1}, {1, 0}};
  for (Vertex i = 1; i < 300; ++i) graph.edges.emplace_back(i, i + 1);
  graph.initial = {0};
  graph.accepting = {1};
  runs_in_use = {};
  settings_in_use = {};
  settings_in_use.hash.check_values = true;
  settings_in_use.first_check = 10;
  const TestGraph model(graph);
  CheckOptions options;
  options.memory_bytes = std::uint64_t{64} << 20;
  const CheckResult result = check_in_memory(model, kSearches[1], options);
  EXPECT_EQ(result.verdict.exit, Exit::reachable);
  EXPECT_LT(result.statistics.states, 20U);
}

// As many bits for each state as there are sets, and a stack of which one row is in memory.
TEST(PerfectHashSearches, GoRoundALongCycleOfManySets) {
  constexpr Vertex kStates = 700;
  GraphSpec graph;
  graph.sets = 64;
  for (Vertex i = 0; i < kStates; ++i) {
    graph.edges.emplace_back(i, (i + 1) % kStates);
    graph.marks.push_back(SetMask{1} << i % graph.sets);
  }
  graph.initial = {0};
  runs_in_use = {};
  settings_in_use = {};
  settings_in_use.block_rows = 1;
  settings_in_use.hash.check_values = true;
  CheckOptions options;
  options.memory_bytes = std::uint64_t{64} << 20;
  for (const Algorithm& algorithm : kSearches) {
    SCOPED_TRACE(algorithm.name);
    const CheckResult found = check_in_memory(TestGraph(graph), algorithm, options);
    EXPECT_EQ(found.verdict.exit, Exit::reachable);
    ASSERT_EQ(found.traces.size(), 1U);
    EXPECT_EQ(found.traces[0].finding.loop.size(), kStates);
    GraphSpec without = graph;
    for (SetMask& mark : without.marks) mark &= ~(SetMask{1} << 63);
    EXPECT_EQ(check_in_memory(TestGraph(without), algorithm, options).verdict.exit, Exit::verified);
  }
}

}  // namespace
}  // namespace spillway
