// Sorted-run search against the reference on random graphs, with buffers of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many: RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "safety/sorted_runs.h"

namespace spillway {
namespace {

struct Case {
  GraphSpec graph;
  SortedRunsSettings settings;
  unsigned threads = 1;
};

void showValue(const Case& c, std::ostream& out) {
  const SortedRunsSettings& s = c.settings;
  out << c.graph.text()
      << fmt::format(
             "# threads {}, block_rows {}, group_rows {}, chunk_bytes {}, cache_rows {}, candidate_rows {}, merge_rows "
             "{}, fan_in {}, "
             "parts {}, alone_rows {}\n",
             c.threads, s.block_rows, s.group_rows, s.chunk_bytes, s.cache_rows, s.candidate_rows, s.merge_rows,
             s.fan_in, s.parts, s.alone_rows);
}

thread_local SortedRunsSettings settings_in_use;
const Algorithm kSortedRuns{"sorted-runs", "", [](Means means) { return make_sorted_runs(means, settings_in_use); }};

CheckResult run(const Model& model, const Case& c) {
  settings_in_use = c.settings;
  CheckOptions options;
  options.run.threads = c.threads;
  options.run.deadlock = c.graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  return check(model, kSortedRuns, options);
}

std::string failure_of(const Case& c) {
  const TestGraph model(c.graph);
  return difference(model, c.graph.deadlock, run(model, c), reference(model, c.graph.deadlock));
}

SortedRunsSettings absurd_settings() {
  SortedRunsSettings settings;
  settings.block_rows = *rc::gen::inRange<std::size_t>(1, 6);
  settings.group_rows = *rc::gen::inRange<std::size_t>(1, 4);
  settings.chunk_bytes = *one_of<std::size_t>({1, 30, 100, 4096});
  settings.cache_rows = *one_of<std::size_t>({2, 3, 50});
  settings.candidate_rows = *one_of<std::size_t>({1, 2, 3, 10, 1000});
  settings.merge_rows = *one_of<std::size_t>({1, 7, 100});
  settings.reserve_bytes = *one_of<std::size_t>({1, std::size_t{1} << 40});  // runs in memory, or on disk
  settings.fan_in = *rc::gen::inRange<std::size_t>(2, 5);
  settings.parts = *rc::gen::inRange<std::size_t>(1, 4);
  settings.alone_rows = *one_of<std::size_t>({0, 0, 3, 256});
  return settings;
}

bool holds(bool deep) {
  return rc::check(deep ? "deep graphs" : "graphs", [deep] {
    Case c;
    c.graph = arbitrary_graph(deep);
    c.settings = absurd_settings();
    c.threads = *rc::gen::inRange(1U, 9U);
    const std::string why = failure_of(c);
    if (why.empty()) return;
    showValue(c, std::cerr);
    RC_FAIL(why);
  });
}

TEST(SortedRunsOracle, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false)); }

TEST(SortedRunsOracle, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
