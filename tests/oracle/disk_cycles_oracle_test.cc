// Accepting cycles of random graphs, by the searches that look for them on disk, with buffers of a
// few elements, against a plain reference.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <iostream>

#include "cases.h"
#include "check/check.h"
#include "oracle/expected_lasso.h"
#include "oracle/random_graph.h"
#include "papers/cycles/ioemc.h"
#include "papers/cycles/map.h"
#include "papers/cycles/owcty.h"
#include "search/cycles/runs_cycles.h"
#include "search/ram/ram.h"
#include "search/runs/sorted_runs.h"
#include "support/check_in_memory.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

const Algorithm kRam{"ram", "", [](const SearchContext& context) { return make_ram(context); }};

thread_local DiskCyclesSettings disk_in_use;
const Algorithm kOwcty{
    .name = "owcty",
    .summary = "",
    .states = [](const SearchContext& context) { return make_owcty(context, disk_in_use); },
    .in_levels = false};
const Algorithm kMap{
    .name = "map",
    .summary = "",
    .states = [](const SearchContext& context) { return make_map(context, disk_in_use); },
    .in_levels = false};

thread_local IoemcSettings ioemc_in_use;
const Algorithm kIoemc{
    .name = "ioemc",
    .summary = "",
    .states = [](const SearchContext& context) { return make_ioemc(context, ioemc_in_use); },
    .in_levels = false};

// Our own; it has the cycle of the searches in memory.
thread_local RunsCyclesSettings spilled_in_use;
thread_local SortedRunsSettings runs_in_use;
const Algorithm kSpilled{.name = "spilled-levels",
                         .summary = "",
                         .states = [](const SearchContext& context) -> std::unique_ptr<Search> {
                           const auto make_bfs = [](const SearchContext& of_bfs) {
                             return make_sorted_runs(of_bfs, runs_in_use);
                           };
                           return make_runs_cycles(context, make_bfs, spilled_in_use);
                         }};

void choose_spilled_settings() {
  spilled_in_use.growth = *one_of<double>({1.1, 2, 4});
  spilled_in_use.first_check = *one_of<std::uint64_t>({1, 1, 5, 1000});
  spilled_in_use.ranked.bits = *rc::gen::arbitrary<bool>()
                                   ? BitVector::Medium::disk
                                   : BitVector::Medium::memory_if_there_is_room;
  runs_in_use.block_rows = *rc::gen::inRange<std::size_t>(1, 5);
  runs_in_use.chunk_bytes = *rc::gen::inRange<std::size_t>(1, 100);
  runs_in_use.candidate_rows = *rc::gen::inRange<std::size_t>(1, 20);
}

void choose_ioemc_settings() {
  ioemc_in_use.rho1 = *one_of<double>({0.02, 0.5, 1});
  ioemc_in_use.rho2 = *one_of<double>({0.1, 0.9, 1});
  ioemc_in_use.recent = *one_of<std::uint64_t>({1, 1, 2, 8, 1000});
  ioemc_in_use.path = *one_of<std::uint64_t>({1, 1, 2, 4, 1000});
  ioemc_in_use.block_records = *rc::gen::inRange<std::size_t>(1, 4);
}

void choose_disk_settings() {
  disk_in_use.sort_rows = *one_of<std::uint64_t>({1, 1, 2, 7, 1000});
  disk_in_use.fan_in = *rc::gen::inRange<std::size_t>(2, 5);
  disk_in_use.most_runs = *rc::gen::inRange<std::size_t>(2, 5);
  disk_in_use.block_bytes = 4 << 10;
  disk_in_use.block_rows = *one_of<std::size_t>({1, 1, 3});
}

// Accepting states that are on no cycle lead to the graph: what elimination is for.
void put_behind_a_tail(GraphSpec& graph) {
  Vertex first = 0;
  for (const auto& [from, to] : graph.edges) first = std::max({first, from + 1, to + 1});
  for (const Vertex node : graph.initial) first = std::max(first, node + 1);
  const auto length = *rc::gen::inRange<Vertex>(1, 6);
  const auto add = [&graph](Vertex from, Vertex to) {
    graph.edges.emplace_back(from, to);
    if (graph.sets != 0) graph.marks.push_back(all_sets(graph.sets));
  };
  for (Vertex node = first; node < first + length; ++node) {
    if (graph.sets == 0) graph.accepting.push_back(node);
    if (node + 1 < first + length) add(node, node + 1);
    add(node, *rc::gen::elementOf(graph.initial));
  }
  graph.initial = {first};
}

// All graphs, by one search.
void compare_on_random_graphs(const Algorithm& algorithm, void (*choose_settings)()) {
  std::uint64_t cycles = 0, graphs = 0;
  EXPECT_TRUE(rc::check(std::string(algorithm.name), [&] {
    GraphSpec graph = arbitrary_graph_with_acceptance();
    if (graph.initial.empty()) return;
    if (*rc::gen::arbitrary<bool>()) put_behind_a_tail(graph);
    const TestGraph model(graph);
    const std::optional<ExpectedLasso> expected = expected_lasso(model);
    ++graphs;
    cycles += expected ? 1 : 0;
    choose_settings();
    CheckOptions options;
    options.memory_bytes = std::uint64_t{64} << 20;
    const CheckResult result = check_in_memory(model, algorithm, options);
    std::string why = difference_in_verdict(result, expected);
    if (!expected &&
        result.statistics.states != check_in_memory(model, kRam, options).statistics.states)
      why = fmt::format("{} states", result.statistics.states);
    if (!why.empty()) {
      std::cerr << graph.text() << "# " << why << "\n";
      RC_FAIL(why);
    }
  }));
  std::cout << graphs << " graphs, " << cycles << " with an accepting cycle\n";
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

// A ring with a tail; the cycle is accepting or not.
GraphSpec ring_with_a_tail(bool accepting) {
  GraphSpec graph;
  constexpr Vertex kTail = 4, kStates = 12;
  for (Vertex node = 0; node < kStates; ++node)
    graph.edges.emplace_back(node, node + 1 < kStates ? node + 1 : kTail);
  graph.initial = {0};
  graph.accepting = {1};
  if (accepting) graph.accepting.push_back(kTail + 2);
  return graph;
}

// Whatever goes wrong with a file: the verdict is the right one, or none.
TEST(DiskCycles, FaultsOfTheDiskGiveNoWrongVerdict) {
  disk_in_use = {.sort_rows = 2, .fan_in = 2, .most_runs = 2, .block_rows = 1, .block_bytes = 4096};
  ioemc_in_use = {.rho1 = 1, .recent = 2, .path = 2, .block_records = 1};
  spilled_in_use = {.growth = 1.1, .first_check = 1, .ranked = {BitVector::Medium::disk}};
  runs_in_use = {.block_rows = 1, .chunk_bytes = 10, .candidate_rows = 1};
  std::uint64_t struck = 0, none = 0;
  for (const Algorithm* const algorithm : {&kOwcty, &kMap, &kIoemc, &kSpilled})
    for (const bool accepting : {false, true})
      for (const Trouble trouble : {Trouble::io_error, Trouble::no_space, Trouble::flipped_bit}) {
        const TestGraph model(ring_with_a_tail(accepting));
        for (std::uint64_t at = 0;; at += 7) {
          MemoryDisk memory;
          FaultyDisk disk(memory);
          disk.set({trouble, at});
          CheckOptions options;
          options.memory_bytes = std::uint64_t{8} << 20;
          options.disk = &disk;
          const Outcome outcome = check_in_memory(model, *algorithm, options).verdict.outcome;
          if (disk.operations() <= at) break;
          if (!disk.struck()) continue;
          ++struck;
          const Outcome right = accepting ? Outcome::violated : Outcome::verified;
          none += outcome != right ? 1 : 0;
          ASSERT_TRUE(outcome != (accepting ? Outcome::verified : Outcome::violated))
              << algorithm->name << ", operation " << at << ", trouble "
              << static_cast<int>(trouble);
        }
      }
  EXPECT_GT(struck, 100U);
  EXPECT_GT(none, struck / 4);
}

TEST(DiskCycles, OwctyAgreesWithTheReference) {
  compare_on_random_graphs(kOwcty, choose_disk_settings);
}

TEST(DiskCycles, IoemcAgreesWithTheReference) {
  compare_on_random_graphs(kIoemc, choose_ioemc_settings);
}

TEST(DiskCycles, MapAgreesWithTheReference) {
  compare_on_random_graphs(kMap, choose_disk_settings);
}

TEST(DiskCycles, SpilledLevelsAgreeWithTheReference) {
  compare_on_random_graphs(kSpilled, choose_spilled_settings);
}

}  // namespace
}  // namespace spillway
