// Shortest lassos of random graphs, against a search that tries all of them.
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
#include "oracle/least_lasso.h"
#include "oracle/random_graph.h"
#include "papers/cycles/minimal.h"
#include "search/runs/sorted_runs.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

thread_local SortedRunsSettings runs_in_use;
thread_local MinimalSettings settings_in_use;

const Algorithm kMinimal{
    "minimal", "", [](const SearchContext& context) {
      return make_minimal(
          context,
          [](const SearchContext& of_bfs) { return make_sorted_runs(of_bfs, runs_in_use); },
          settings_in_use);
    }};

CheckResult find_minimal(const Model& model, bool hash_on_disk = false) {
  CheckOptions options;
  options.session.threads = 2;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.hash_on_disk = hash_on_disk;
  return check_in_memory(model, kMinimal, options);
}

std::uint64_t length(const CheckResult& result) { return result.traces.at(0).steps.size() - 1; }

void arbitrary_settings() {
  runs_in_use = {};
  runs_in_use.candidate_rows = *one_of<std::size_t>({1, 3, 1000});
  settings_in_use = {};
  settings_in_use.block_rows = *one_of<std::size_t>({1, 1, 2, 1000});
  settings_in_use.queue_rows = *one_of<std::size_t>({1, 2, 1000});
  settings_in_use.hash.check_values = true;
  settings_in_use.hash.part_keys = *one_of<std::uint32_t>({1, 10, 50'000});
  settings_in_use.hash.sort_rows = *one_of<std::size_t>({1, 100});
  settings_in_use.hash.disk_blocks = 1;
}

// What is wrong with a result; empty if nothing is.
std::string difference(const CheckResult& result, std::optional<std::uint64_t> shortest,
                       bool one_set) {
  if (!shortest)
    return result.verdict.outcome == Outcome::verified
               ? ""
               : "there is none, but: " + result.verdict.reason;
  if (result.verdict.exit != Exit::reachable || result.traces.size() != 1)
    return "it was not found: " + result.verdict.reason;
  const std::uint64_t found = length(result);
  if (found == *shortest || (!one_set && found > *shortest)) return "";
  return fmt::format("{} steps instead of {}", found, *shortest);
}

TEST(Minimal, IsAShortestLassoOfRandomGraphs) {
  std::uint64_t cycles = 0, graphs = 0, shortest_of_sets = 0, with_sets = 0;
  EXPECT_TRUE(rc::check("minimal", [&] {
    const GraphSpec graph = arbitrary_graph_with_acceptance();
    if (graph.initial.empty()) return;
    const TestGraph model(graph);
    const std::optional<std::uint64_t> shortest = shortest_lasso(model);
    ++graphs;
    cycles += shortest ? 1 : 0;
    arbitrary_settings();
    const CheckResult result = find_minimal(model, *rc::gen::inRange(0, 4) == 0);
    const bool one_set = model.acceptance().sets() == 1;
    if (const std::string why = difference(result, shortest, one_set); !why.empty()) {
      std::cerr << graph.text() << "# " << why << "\n";
      RC_FAIL(why);
    }
    if (one_set || !shortest) return;
    ++with_sets;
    shortest_of_sets += length(result) == *shortest ? 1 : 0;
  }));
  std::cout << fmt::format(
      "{} graphs, {} with an accepting cycle, {} with several sets, {} of these shortest\n", graphs,
      cycles, with_sets, shortest_of_sets);
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

// Where cutting off the search itself, and not only what is queued, finds 6.
TEST(Minimal, DoesNotCutOffTheSearch) {
  GraphSpec graph;
  graph.edges = {{0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 4}, {3, 4}, {4, 6}, {6, 1}};
  graph.initial = {0};
  graph.accepting = {0, 2, 3};
  settings_in_use = {};
  runs_in_use = {};
  const TestGraph model(graph);
  EXPECT_EQ(shortest_lasso(model), 5U);
  EXPECT_EQ(length(find_minimal(model)), 5U);
}

// The cycle of the deeper accepting state is shorter by more than its stem is longer.
TEST(Minimal, MinimizesStemAndCycleTogether) {
  GraphSpec graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}, {1, 5}, {5, 5}};
  graph.initial = {0};
  graph.accepting = {0, 5};
  settings_in_use = {};
  const TestGraph model(graph);
  EXPECT_EQ(length(find_minimal(model)), 3U);
}

// The stem is shortest to a state of the cycle that is not accepting.
TEST(Minimal, BeginsAtAnyStateOfTheCycle) {
  GraphSpec graph;
  graph.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 1}};
  graph.initial = {0};
  graph.accepting = {3};
  settings_in_use = {};
  const TestGraph model(graph);
  const CheckResult result = find_minimal(model);
  EXPECT_EQ(length(result), 4U);
  EXPECT_EQ(result.traces.at(0).loop_start(), 1U);
}

}  // namespace
}  // namespace spillway
