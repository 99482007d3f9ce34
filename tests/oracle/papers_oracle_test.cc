// The algorithms of the papers against the reference on random graphs, with tables and blocks of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many: RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <iostream>

#include "base/hash.h"
#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "safety/dddd.h"
#include "safety/hddd.h"
#include "safety/mono.h"
#include "safety/part.h"
#include "safety/sorted_runs.h"

namespace spillway {
namespace {

// Finds counterexamples for those that keep no levels.
const Algorithm kRetrace{"sorted-runs", "", [](Means means) -> std::unique_ptr<Search> {
                           return make_sorted_runs(means, {4, 2, 60, 5, 7, 9, 1, 3, 2, 0});
                         }};

thread_local std::function<std::unique_ptr<Search>(Means)> make_in_use;
std::unique_ptr<Search> make(Means means) { return make_in_use(means); }
const Algorithm kInLevels{"in levels", "", make, true, &kRetrace, true, true};
const Algorithm kWithoutLevels{"without levels", "", make, true, &kRetrace, false, true};

CheckOptions options_for(const GraphSpec& graph) {
  CheckOptions options;
  options.run.deadlock = graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  return options;
}

std::string failure_of(const GraphSpec& graph, const Algorithm& algorithm) {
  const TestGraph model(graph);
  const CheckResult result = check(model, algorithm, options_for(graph));
  return difference(model, graph.deadlock, result, reference(model, graph.deadlock));
}

// A table for up to so many states with rows of so many words, and with blocks of a few rows.
template <class Settings>
Settings absurd_sizes(const GraphSpec& graph) {
  Settings settings;
  const std::uint64_t entry_bytes = graph.words * sizeof(Word) + 9;
  settings.table_bytes = entry_bytes * *one_of<std::uint64_t>({1, 2, 3, 7, 40, 2000});
  settings.cache_bytes = entry_bytes * *one_of<std::uint64_t>({1, 2, 5, 100});
  settings.block_bytes = 4096;
  settings.block_rows = graph.edges.size() < 250 ? *one_of<std::size_t>({1, 1, 2, 5}) : 64;
  settings.partitions = *one_of<std::size_t>({1, 2, 3, 7});
  settings.count_bytes = entry_bytes * *one_of<std::uint64_t>({3, 10, 3000});
  return settings;
}

// `choose` makes settings and returns how to make the search.
using Make = std::function<std::unique_ptr<Search>(Means)>;
bool holds(bool deep, const Algorithm& algorithm, const std::function<Make(const GraphSpec&)>& choose) {
  return rc::check(deep ? "deep graphs" : "graphs", [&] {
    const GraphSpec graph = arbitrary_graph(deep);
    make_in_use = choose(graph);
    const std::string why = failure_of(graph, algorithm);
    if (why.empty()) return;
    std::cerr << graph.text();
    RC_FAIL(why);
  });
}

Make absurd_mono(const GraphSpec& graph) {
  auto settings = absurd_sizes<MonoSettings>(graph);
  settings.table = *one_of<TableKind>({{false, 1}, {true, 0.9}, {true, 1}});
  return [settings](Means means) { return make_mono(means, settings); };
}
TEST(Mono, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false, kInLevels, absurd_mono)); }
TEST(Mono, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_mono)); }

// Partitions are split until a table holds one: not too small, or each has a few states and a queue with its buffers.
Make absurd_part(const GraphSpec& graph) {
  auto settings = absurd_sizes<PartSettings>(graph);
  if (graph.edges.size() >= 250) settings.table_bytes *= 100;
  settings.cache = *rc::gen::arbitrary<bool>();
  return [settings](Means means) { return make_part(means, settings); };
}
TEST(Part, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false, kWithoutLevels, absurd_part)); }
TEST(Part, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kWithoutLevels, absurd_part)); }

Make absurd_hddd(const GraphSpec& graph) {
  const auto settings = absurd_sizes<Sizes>(graph);
  return [settings](Means means) { return make_hddd(means, settings); };
}
TEST(Hddd, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false, kInLevels, absurd_hddd)); }
TEST(Hddd, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_hddd)); }

// Detections by forecast; forced in all levels, in some, in hardly any.
Make absurd_dddd(const GraphSpec& graph) {
  auto settings = absurd_sizes<DdddSettings>(graph);
  settings.lengths = *one_of<std::size_t>({0, 1, 2, 4, 8});
  unsigned percent = *one_of<unsigned>({0, 15, 15, 50, 50, 100, 1000, 1000});
  if (graph.edges.size() >= 250) percent = std::max(percent, 15U);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  if (percent <= 100) settings.forced = [=](std::uint64_t level) { return scatter(level ^ seed) % 100 < percent; };
  return [settings](Means means) { return make_dddd(means, settings); };
}
TEST(Dddd, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false, kInLevels, absurd_dddd)); }
TEST(Dddd, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_dddd)); }

}  // namespace
}  // namespace spillway
