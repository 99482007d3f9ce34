// Sorted-run search against the reference on random graphs, with buffers of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many:
// RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <random>

#include "cases.h"
#include "oracle/compare.h"
#include "oracle/random_graph.h"
#include "oracle/small_searches.h"
#include "search/automatic.h"
#include "support/check_in_memory.h"

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
             "# threads {}, block_rows {}, group_rows {}, chunk_bytes {}, cache_rows {}, "
             "candidate_rows {}, merge_rows "
             "{}, fan_in {}, "
             "parts {}, alone_rows {}, squeeze_states {}, marked_rows {}\n",
             c.threads, s.block_rows, s.group_rows, s.chunk_bytes, s.cache_rows, s.candidate_rows,
             s.merge_rows, s.fan_in, s.parts, s.alone_rows, s.squeeze_states, s.marked_rows);
}

thread_local SortedRunsSettings settings_in_use;
const Algorithm kSortedRuns{"sorted-runs", "",
                            [](const SearchContext& context) -> std::unique_ptr<Search> {
                              return make_sorted_runs(context, settings_in_use);
                            }};

CheckResult run(const Model& model, const Case& c) {
  settings_in_use = c.settings;
  CheckOptions options;
  options.session.threads = c.threads;
  options.session.deadlock = c.graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.verify = true;
  return check_in_memory(model, kSortedRuns, options);
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
  settings.chunks_ahead = *one_of<std::size_t>({1, 2, 5});
  // runs in memory, or on disk
  settings.reserve_bytes = *one_of<std::size_t>({1, std::size_t{1} << 40});
  settings.fan_in = *rc::gen::inRange<std::size_t>(2, 5);
  settings.parts = *rc::gen::inRange<std::size_t>(1, 4);
  settings.alone_rows = *one_of<std::size_t>({0, 0, 3, 256});
  settings.squeeze_states = *one_of<std::size_t>({1, 2, 5, 20, 1000});
  settings.marked_rows = *one_of<std::size_t>({1, 1, 2, 5, 1000});
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

// The default search, which leaves memory when there are so many states.
thread_local std::uint64_t leave_states = 1;
const Algorithm kAutomatic{"auto", "", [](const SearchContext& context) {
                             RamSettings ram = small_ram();
                             ram.leave_states = leave_states;
                             return make_automatic(context, ram, settings_in_use);
                           }};

// The same, but it leaves memory where sorted runs are faster with so many states.
thread_local std::uint64_t faster_runs_states = 1;
const Algorithm kFasterRuns{"auto", "", [](const SearchContext& context) {
                              RamSettings ram = small_ram();
                              ram.runs = {.most_words = 3, .least_states = faster_runs_states};
                              return make_automatic(context, ram, settings_in_use);
                            }};

TEST(Switch, AtAnyStateMakesNoDifference) {
  for (const std::size_t words : {1, 2, 3}) {
    std::mt19937_64 random(words);
    GraphSpec graph;  // 600 states in some fifty levels, with a violation in the last
    graph.words = words;
    graph.initial = {0, 1, 2};
    for (Vertex i = 0; i < 600; ++i) {
      graph.edges.emplace_back(i,
                               std::min<Vertex>(599, i + 1 + static_cast<Vertex>(random() % 20)));
      graph.edges.emplace_back(i, std::min<Vertex>(599, i + 7));
      graph.edges.emplace_back(i, static_cast<Vertex>(random() % (i + 1)));
    }
    for (const bool bad : {false, true}) {
      if (bad) graph.bad = {{599, 0}};
      const TestGraph model(graph);
      const auto expected = reference(model, Deadlock::off);
      const std::uint64_t step = (bad || words > 1 ? 3 : 1) * step_of_all(words > 1 ? 13 : 23);
      for (leave_states = 1; leave_states <= 500; leave_states += step) {
        CheckOptions options;
        options.session.threads = 1 + static_cast<unsigned>(leave_states % 3);
        options.memory_bytes = std::uint64_t{64} << 20;
        options.verify = true;
        std::string announced;
        options.session.announcer = [&](const std::string& sentence) { announced += sentence; };
        settings_in_use = {.block_rows = 4,
                           .group_rows = 2,
                           .chunk_bytes = 60,
                           .cache_rows = 5,
                           .candidate_rows = 7,
                           .merge_rows = 9,
                           .reserve_bytes = leave_states % 2 == 0 ? 1 : std::size_t{1} << 40,
                           .chunks_ahead = 2,
                           .fan_in = 3,
                           .parts = 2,
                           .alone_rows = 0,
                           .squeeze_states = leave_states % 5 == 0 ? std::size_t{1000} : 1,
                           .marked_rows = leave_states % 7 == 0 ? std::size_t{1000} : 1};
        ASSERT_EQ(
            difference(model, Deadlock::off, check_in_memory(model, kAutomatic, options), expected),
            "")
            << leave_states;
        ASSERT_NE(announced, "") << leave_states;
      }
    }
  }
}

// Levels that double, as far as there are nodes.
GraphSpec doubling_levels(Vertex nodes, std::size_t words, unsigned coding) {
  GraphSpec graph;
  graph.words = words;
  graph.coding = coding;
  graph.initial = {0};
  for (Vertex i = 0; i < nodes; ++i) {
    graph.edges.emplace_back(i, (2 * i + 1) % nodes);
    graph.edges.emplace_back(i, (2 * i + 2) % nodes);
  }
  return graph;
}

// Levels double, so all of them are wide and grow.  The rule asks for no more than some states.
TEST(Switch, WhereRunsAreFasterMakesNoDifference) {
  for (const std::size_t words : {1, 2, 3}) {
    GraphSpec graph = doubling_levels(600, words, 0);
    for (const bool bad : {false, true}) {
      if (bad) graph.bad = {{599, 0}};
      const TestGraph model(graph);
      const auto expected = reference(model, Deadlock::off);
      for (const std::uint64_t states : {1, 5, 20, 100, 250, 600}) {
        CheckOptions options;
        options.session.threads = 1 + static_cast<unsigned>(states % 3);
        options.memory_bytes = std::uint64_t{64} << 20;
        options.verify = true;
        std::string announced;
        options.session.announcer = [&](const std::string& sentence) { announced += sentence; };
        faster_runs_states = states;
        settings_in_use = {.block_rows = 4,
                           .group_rows = 2,
                           .chunk_bytes = 60,
                           .cache_rows = 5,
                           .candidate_rows = 7,
                           .merge_rows = 9,
                           .chunks_ahead = 2,
                           .fan_in = 3,
                           .parts = 2,
                           .alone_rows = 0,
                           .squeeze_states = 1};
        ASSERT_EQ(difference(model, Deadlock::off, check_in_memory(model, kFasterRuns, options),
                             expected),
                  "")
            << words << " words, " << states;
        EXPECT_EQ(announced.find("levels are wide and grow") != std::string::npos, states < 600)
            << words << " words, " << states << ": " << announced;
      }
    }
  }
}

TEST(Switch, WhenTheBudgetIsUsedUp) {
  GraphSpec graph = doubling_levels(40000, 1, 0);
  graph.bad = {{39999, 0}};
  for (graph.words = 1; graph.words <= 3; ++graph.words) {
    const TestGraph model(graph);
    CheckOptions options;
    options.session.threads = 2;
    options.memory_bytes = std::uint64_t{900} << 10;
    options.verify = true;
    std::string announced;
    options.session.announcer = [&](const std::string& sentence) { announced += sentence; };
    settings_in_use = {.block_rows = 64,
                       .group_rows = 8,
                       .chunk_bytes = 4096,
                       .cache_rows = 256,
                       .candidate_rows = 1024,
                       .merge_rows = 256,
                       .reserve_bytes = 64 << 10,
                       .parts = 2,
                       .alone_rows = 100,
                       .squeeze_states = 1000,
                       .marked_rows = 10};
    const Algorithm automatic{"auto", "", [](const SearchContext& context) {
                                RamSettings ram;
                                ram.first_homes = 16;
                                ram.chunk_bytes = 4096;
                                return make_automatic(context, ram, settings_in_use);
                              }};
    const CheckResult result = check_in_memory(model, automatic, options);
    EXPECT_EQ(difference(model, Deadlock::off, result, reference(model, Deadlock::off)), "")
        << graph.words;
    EXPECT_NE(announced, "");
    EXPECT_LE(result.budget_peak_bytes, options.memory_bytes);
  }
}

// Long rows leave RAM in dozens of pieces.  With sizes as they are chosen, not absurd ones.
TEST(Switch, OfLongRowsWithLittleMemory) {
  const TestGraph model(doubling_levels(200000, 10, 4));
  const auto expected = reference(model, Deadlock::off);
  for (const std::uint64_t memory : {8000, 8700}) {
    CheckOptions options;
    options.session.threads = 2;
    options.memory_bytes = memory << 10;
    options.verify = true;
    settings_in_use = {};
    const Algorithm automatic{"auto", "", [](const SearchContext& context) {
                                return make_automatic(context, {}, settings_in_use);
                              }};
    EXPECT_EQ(
        difference(model, Deadlock::off, check_in_memory(model, automatic, options), expected), "")
        << memory;
  }
}

// A counterexample goes through levels that only the RAM search had, when kept levels have taken
// most of the memory.
TEST(Switch, EarlierLevelsAreFoundAgainInLessMemory) {
  constexpr Vertex kNodes = 100000;
  GraphSpec graph = doubling_levels(kNodes, 8, 4);
  graph.bad = {{kNodes - 1, 0}};
  const TestGraph model(graph);
  CheckOptions options;
  options.session.threads = 2;
  options.memory_bytes = std::uint64_t{2000} << 10;
  settings_in_use = {.block_rows = 64,
                     .group_rows = 8,
                     .chunk_bytes = 4096,
                     .cache_rows = 64,
                     .candidate_rows = 512,
                     .merge_rows = 256,
                     .reserve_bytes = 300 << 10,
                     .marked_rows = 10};
  const Algorithm automatic{"auto", "", [](const SearchContext& context) {
                              return make_automatic(context, {}, settings_in_use);
                            }};
  const CheckResult result = check_in_memory(model, automatic, options);
  EXPECT_EQ(difference(model, Deadlock::off, result, reference(model, Deadlock::off)), "");
}

TEST(SortedRunsOracle, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false)); }

TEST(SortedRunsOracle, AgreesWithTheReferenceOnDeepGraphs) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
