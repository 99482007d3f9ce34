// Accepting cycles of random graphs, by every search that finds them as it goes, against a plain
// reference.  Searches by levels report the same cycle, whatever their settings and threads.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <limits>

#include "cases.h"
#include "check/check.h"
#include "oracle/expected_lasso.h"
#include "oracle/random_graph.h"
#include "papers/depth_first/nested_dfs.h"
#include "papers/depth_first/ufscc.h"
#include "search/cycles/ram_cycles.h"
#include "search/ram/ram.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

thread_local RamCyclesSettings levels_in_use;

const Algorithm kRam{"ram", "", [](const SearchContext& context) { return make_ram(context); }};
const Algorithm kLevels{"levels", "", [](const SearchContext& context) {
                          return make_ram_cycles(context, levels_in_use);
                        }};

thread_local StepGraphSettings steps_in_use;
const Algorithm kDepthFirst[] = {
    {.name = "nested-dfs",
     .summary = "",
     .states = [](const SearchContext& context) { return make_nested_dfs(context, steps_in_use); },
     .in_levels = false},
    {.name = "ufscc",
     .summary = "",
     .states = [](const SearchContext& context) { return make_ufscc(context, steps_in_use); },
     .in_levels = false},
};

RamCyclesSettings arbitrary_settings() {
  RamCyclesSettings settings;
  settings.growth = *one_of<double>({1.1, 1.5, 2, 4, std::numeric_limits<double>::infinity()});
  settings.first_check = settings.growth > 4 ? UINT64_MAX : *one_of<std::uint64_t>({1, 5, 1000});
  settings.block_nodes = *rc::gen::inRange<std::uint64_t>(1, 9);
  settings.ram.first_homes = *one_of<std::size_t>({1, 2, 1000});
  settings.ram.chunk_bytes = *one_of<std::size_t>({8, 80, 4096});
  settings.ram.unit_rows = *rc::gen::inRange<std::size_t>(1, 5);
  settings.ram.in_flight = *one_of<std::size_t>({1, 2, 24});
  settings.ram.batch_bytes = *one_of<std::size_t>({1, 100, 4096});
  settings.ram.recent_bytes = *one_of<std::size_t>({1, 100, 4096});
  settings.ram.look_rows = *one_of<std::size_t>({1, 10, 4096});
  settings.ram.alone_rows = *one_of<std::size_t>({0, 256});
  settings.ram.squeeze_rows = *one_of<std::size_t>({1, 5, 20, 1000});
  return settings;
}

CheckOptions options_for(unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.memory_bytes = std::uint64_t{64} << 20;
  return options;
}

bool have_the_same_steps(const CheckResult& a, const CheckResult& b) {
  if (a.traces.size() != b.traces.size()) return false;
  for (std::size_t i = 0; i < a.traces.size(); ++i)
    if (!std::ranges::equal(a.traces[i].steps, b.traces[i].steps, {}, &Step::row, &Step::row))
      return false;
  return true;
}

void fail(const GraphSpec& graph, const std::string& why) {
  std::cerr << graph.text() << "# " << why << "\n";
  RC_FAIL(why);
}

TEST(Products, HaveTheAcceptingCycleOfTheReference) {
  std::uint64_t cycles = 0, graphs = 0;
  EXPECT_TRUE(rc::check("products", [&] {
    const GraphSpec graph = arbitrary_graph_with_acceptance();
    if (graph.initial.empty()) return;
    const TestGraph model(graph);
    const std::optional<ExpectedLasso> expected = expected_lasso(model);
    ++graphs;
    cycles += expected ? 1 : 0;
    const CheckResult afterwards = check_in_memory(model, kRam, options_for(1));
    if (const std::string why = difference(afterwards, expected); !why.empty())
      fail(graph, "after the search: " + why);
    for (const unsigned threads : {1, 2, 4}) {
      levels_in_use = arbitrary_settings();
      const CheckResult result = check_in_memory(model, kLevels, options_for(threads));
      const std::string with =
          fmt::format("levels, {} threads, growth {}, first check at {}: ", threads,
                      levels_in_use.growth, levels_in_use.first_check);
      if (const std::string why = difference(result, expected); !why.empty())
        fail(graph, with + why);
      if (!have_the_same_steps(result, afterwards)) fail(graph, with + "other steps");
    }
    for (const Algorithm& algorithm : kDepthFirst) {
      steps_in_use.first_homes = *one_of<std::size_t>({1, 2, 1000});
      steps_in_use.chunk_bytes = *one_of<std::size_t>({8, 80, 4096});
      const CheckResult result =
          check_in_memory(model, algorithm, options_for(*rc::gen::inRange(1U, 5U)));
      if (const std::string why = difference_in_verdict(result, expected); !why.empty())
        fail(graph, fmt::format("{}: {}", algorithm.name, why));
    }
  }));
  std::cout << graphs << " graphs, " << cycles << " with an accepting cycle\n";
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(cycles, graphs / 10);
  EXPECT_LT(cycles, graphs * 9 / 10);
}

}  // namespace
}  // namespace spillway
