// The algorithms of the papers against the reference on random graphs, with tables and blocks of
// absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <functional>
#include <iostream>

#include "base/hash/hash.h"
#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "papers/states/dddd.h"
#include "papers/states/hddd.h"
#include "papers/states/local.h"
#include "papers/states/mono.h"
#include "papers/states/part.h"
#include "papers/states/serial.h"
#include "search/runs/sorted_runs.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

// Finds counterexamples for those that keep no levels.
const Algorithm kRetrace{"sorted-runs", "",
                         [](const SearchContext& context) -> std::unique_ptr<Search> {
                           return make_sorted_runs(context, {4, 2, 60, 5, 7, 9, 1, 3, 2, 0});
                         }};

thread_local std::function<std::unique_ptr<Search>(const SearchContext&)> make_in_use;
std::unique_ptr<Search> make(const SearchContext& context) { return make_in_use(context); }
const Algorithm kInLevels{.name = "in levels",
                          .summary = "",
                          .states = make,
                          .uses_disk = true,
                          .retrace = &kRetrace,
                          .signatures = true};
const Algorithm kWithoutLevels{.name = "without levels",
                               .summary = "",
                               .states = make,
                               .uses_disk = true,
                               .retrace = &kRetrace,
                               .in_levels = false,
                               .signatures = true};

CheckOptions options_for(const GraphSpec& graph) {
  CheckOptions options;
  options.session.deadlock = graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  return options;
}

using Accept = std::function<bool(const CheckResult&)>;
std::string failure_of(const GraphSpec& graph, const Algorithm& algorithm,
                       const Accept& accept = {}) {
  const TestGraph model(graph);
  const CheckResult result = check_in_memory(model, algorithm, options_for(graph));
  if (accept && accept(result)) return "";
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
using Make = std::function<std::unique_ptr<Search>(const SearchContext&)>;
bool holds(bool deep, const Algorithm& algorithm,
           const std::function<Make(const GraphSpec&)>& choose, const Accept& accept = {}) {
  return rc::check(deep ? "deep graphs" : "graphs", [&] {
    const GraphSpec graph = arbitrary_graph(deep);
    make_in_use = choose(graph);
    const std::string why = failure_of(graph, algorithm, accept);
    if (why.empty()) return;
    std::cerr << graph.text();
    RC_FAIL(why);
  });
}

Make absurd_mono(const GraphSpec& graph) {
  auto settings = absurd_sizes<MonoSettings>(graph);
  settings.table = *one_of<TableKind>({{false, 1}, {true, 0.9}, {true, 1}});
  return [settings](const SearchContext& context) { return make_mono(context, settings); };
}
TEST(Mono, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_mono));
}
TEST(Mono, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_mono)); }

// Partitions are split until a table holds one: not too small, or each has a few states and a queue
// with its buffers.
Make absurd_part(const GraphSpec& graph) {
  auto settings = absurd_sizes<PartSettings>(graph);
  if (graph.edges.size() >= 250) settings.table_bytes *= 100;
  settings.cache = *rc::gen::arbitrary<bool>();
  return [settings](const SearchContext& context) { return make_part(context, settings); };
}
TEST(Part, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kWithoutLevels, absurd_part));
}
TEST(Part, AgreesWithTheReferenceOnDeepGraphs) {
  EXPECT_TRUE(holds(true, kWithoutLevels, absurd_part));
}

Make absurd_hddd(const GraphSpec& graph) {
  const auto settings = absurd_sizes<Sizes>(graph);
  return [settings](const SearchContext& context) { return make_hddd(context, settings); };
}
TEST(Hddd, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_hddd));
}
TEST(Hddd, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_hddd)); }

// Detections by forecast; forced in all levels, in some, in hardly any.
Make absurd_dddd(const GraphSpec& graph) {
  auto settings = absurd_sizes<DdddSettings>(graph);
  settings.lengths = *one_of<std::size_t>({0, 1, 2, 4, 8});
  unsigned percent = *one_of<unsigned>({0, 15, 15, 50, 50, 100, 1000, 1000});
  if (graph.edges.size() >= 250) percent = std::max(percent, 15U);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  if (percent <= 100)
    settings.forced = [=](std::uint64_t level) { return scatter(level ^ seed) % 100 < percent; };
  return [settings](const SearchContext& context) { return make_dddd(context, settings); };
}
TEST(Dddd, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_dddd));
}
TEST(Dddd, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true, kInLevels, absurd_dddd)); }

template <class Settings>
void absurd_locality(Settings& settings) {
  settings.table = *one_of<TableKind>({{false, 1}, {true, 0.9}, {true, 1}});
  settings.locality.block_rows = *one_of<std::uint64_t>({1, 3, 20});
  settings.locality.calibrate_every = *one_of<unsigned>({1, 2, 10, 1000000});
  settings.locality.newest = *one_of<unsigned>({0, 1, 2});
}

Make absurd_local(const GraphSpec& graph) {
  auto settings = absurd_sizes<LocalSettings>(graph);
  absurd_locality(settings);
  return [settings](const SearchContext& context) { return make_local(context, settings); };
}
TEST(Local, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_local));
}
TEST(Local, AgreesWithTheReferenceOnDeepGraphs) {
  EXPECT_TRUE(holds(true, kInLevels, absurd_local));
}

// Leaves the cache by the rate of collisions, or after some expansions.
Make absurd_serial(const GraphSpec& graph) {
  SerialSettings settings;
  settings.cached = absurd_sizes<CachedSettings>(graph);
  settings.cached.gamma = *one_of<double>({0.1, 0.5, 0.9});
  settings.cached.ways = *one_of<unsigned>({1, 2, 8});
  if (*rc::gen::arbitrary<bool>())
    settings.cached.leave_states = *rc::gen::inRange<std::uint64_t>(0, 100);
  absurd_locality(settings.disk);
  return [settings](const SearchContext& context) { return make_serial(context, settings); };
}
TEST(Serial, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_serial));
}
TEST(Serial, AgreesWithTheReferenceOnDeepGraphs) {
  EXPECT_TRUE(holds(true, kInLevels, absurd_serial));
}

// A cache may give up; whatever else it says is right.
Make absurd_cached(const GraphSpec& graph) {
  auto settings = absurd_sizes<CachedSettings>(graph);
  settings.gamma = *one_of<double>({0.1, 0.5, 0.9});
  settings.ways = *one_of<unsigned>({1, 2, 8});
  return [settings](const SearchContext& context) { return make_cached(context, settings); };
}
bool gives_up(const CheckResult& result) { return result.verdict.exit == Exit::memory; }
TEST(Cached, AgreesWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(holds(false, kInLevels, absurd_cached, gives_up));
}
TEST(Cached, AgreesWithTheReferenceOnDeepGraphs) {
  EXPECT_TRUE(holds(true, kInLevels, absurd_cached, gives_up));
}

// Any of them, with signatures.
Make absurd_any(const GraphSpec& graph, bool& in_levels) {
  const auto which = *rc::gen::inRange(0, 6);
  in_levels = which != 1;
  switch (which) {
    case 0: return absurd_mono(graph);
    case 1: return absurd_part(graph);
    case 2: return absurd_hddd(graph);
    case 3: return absurd_dddd(graph);
    case 4: return absurd_local(graph);
    default: return absurd_serial(graph);
  }
}

// Signatures of 64 bits tell all states of a small graph apart; those of 8 bits do not, and then
// some are missing.
TEST(Signatures, AgreeWithTheReferenceOnRandomGraphs) {
  EXPECT_TRUE(rc::check("signatures", [] {
    GraphSpec graph = arbitrary_graph(false);
    bool in_levels = true;
    make_in_use = absurd_any(graph, in_levels);
    const TestGraph model(graph);
    CheckOptions options = options_for(graph);
    const bool exact = *rc::gen::arbitrary<bool>();
    options.signatures = {exact ? 64U : 8U, *rc::gen::arbitrary<std::uint64_t>()};
    const CheckResult result =
        check_in_memory(model, in_levels ? kInLevels : kWithoutLevels, options);
    const Expected expected = reference(model, graph.deadlock);
    std::uint64_t states = 0;
    for (const std::uint64_t level : expected.levels) states += level;
    RC_ASSERT(result.verdict.outcome != Outcome::error);
    if (!exact && result.verdict.outcome != Outcome::violated) {
      RC_ASSERT(result.verdict.outcome != Outcome::verified);
      if (expected.violated.empty()) RC_ASSERT(result.statistics.states <= states);
    } else if (expected.violated.empty()) {
      RC_ASSERT(result.verdict.outcome == Outcome::verified_probabilistic);
      RC_ASSERT(result.statistics.states == states);
    } else {
      RC_ASSERT(result.verdict.outcome == Outcome::violated);
    }
  }));
}

// Steps around once, with a way back to the beginning from everywhere.
GraphSpec cycle(Vertex nodes) {
  GraphSpec graph;
  graph.initial = {0};
  for (Vertex i = 0; i < nodes; ++i) graph.edges.emplace_back(i, (i + 1) % nodes);
  return graph;
}

TEST(Cycle, LongerThanAllThatIsReadEndsInLocal) {
  LocalSettings settings;
  settings.table_bytes = 17 * 5;
  settings.block_bytes = 4096;
  // never reads more than the newest block by itself
  settings.locality = {5, 1000000, 1, 0.9, 0, 1};
  make_in_use = [settings](const SearchContext& context) { return make_local(context, settings); };
  EXPECT_EQ(failure_of(cycle(500), kInLevels), "");
}

TEST(Cycle, LongerThanTheCacheMakesCachedGiveUp) {
  CachedSettings settings;
  settings.table_bytes = 9 * 50;
  settings.block_bytes = 4096;
  make_in_use = [settings](const SearchContext& context) { return make_cached(context, settings); };
  const TestGraph model(cycle(500));
  EXPECT_TRUE(gives_up(check_in_memory(model, kInLevels, options_for(cycle(500)))));
}

TEST(Switch, OfSerialAtAnyStateMakesNoDifference) {
  GraphSpec graph = cycle(150);
  for (Vertex i = 0; i < 150; ++i) {
    graph.edges.emplace_back(i, i * 7 % 150);
    graph.edges.emplace_back(i, i / 2);
  }
  for (const bool bad : {false, true}) {
    if (bad) graph.bad = {{149, 0}};
    for (std::uint64_t states = 0; states <= 150; ++states) {
      SerialSettings settings;
      settings.cached.table_bytes = 9 * (states % 2 == 0 ? 1000 : 60);
      settings.cached.block_bytes = 4096;
      settings.cached.block_rows = 3;
      settings.cached.gamma = 2;
      settings.cached.leave_states = states;
      make_in_use = [settings](const SearchContext& context) {
        return make_serial(context, settings);
      };
      ASSERT_EQ(failure_of(graph, kInLevels), "") << states;
    }
  }
}

}  // namespace
}  // namespace spillway
