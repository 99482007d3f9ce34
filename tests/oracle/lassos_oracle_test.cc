// One product has one counterexample: byte for byte the same for any number of threads, wherever
// prefixes are checked, and wherever a search in memory continues with sorted runs.
//
// SPILLWAY_CASES=500 sets how many products with an accepting cycle, SPILLWAY_SEED=17 begins with
// another one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <limits>

#include "check/check.h"
#include "oracle/layered_graph.h"
#include "oracle/small_searches.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

constexpr unsigned kThreads[] = {1, 2, 4, 8};
constexpr double kAtTheEnd = std::numeric_limits<double>::infinity();
constexpr double kGrowths[] = {1.1, 1.5, 2, 4, kAtTheEnd};

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* given = std::getenv(name);
  return given == nullptr ? otherwise : std::strtoull(given, nullptr, 10);
}

void append_rows(std::string& text, const std::vector<std::vector<Word>>& rows) {
  for (const std::vector<Word>& row : rows)
    for (const Word word : row) text += fmt::format(" {:x}", word);
  text += '\n';
}

// All that a finding and its trace have to say about the run; empty if there is none.
std::string run_of(const CheckResult& result) {
  if (result.traces.empty()) return "";
  const Trace& trace = result.traces.front();
  std::string text = fmt::format("depth {}, loop from {}\n", trace.finding.depth,
                                 trace.loop_start().value_or(UINT64_MAX));
  append_rows(text, {trace.finding.row});
  append_rows(text, trace.finding.loop);
  for (const Step& step : trace.steps) {
    text += fmt::format("{}:", step.rule);
    append_rows(text, {step.row});
  }
  return text;
}

class OneProduct {
 public:
  explicit OneProduct(std::uint64_t seed)
      : random_(seed), graph_(layered_graph(random_)), model_(graph_) {}

  const GraphSpec& graph() const { return graph_; }

  std::string searched(const Algorithm& algorithm, unsigned threads) const {
    CheckOptions options;
    options.session.threads = threads;
    options.memory_bytes = std::uint64_t{64} << 20;
    return run_of(check_in_memory(model_, algorithm, options));
  }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  // Sizes of a few elements, and checks that begin anywhere.
  void choose_levels(double growth) {
    RamCyclesSettings& levels = small_searches.levels = {};
    levels.growth = growth;
    levels.first_check = growth == kAtTheEnd ? UINT64_MAX : 1 + below(graph_.edges.size());
    levels.block_nodes = 1 + below(9);
    levels.ram.first_homes = 1 + below(4);
    levels.ram.chunk_bytes = 8 << below(6);
    levels.ram.unit_rows = 1 + below(4);
    levels.ram.in_flight = 1 + below(4);
    levels.ram.batch_bytes = 1 + below(200);
    levels.ram.recent_bytes = 1 + below(200);
    levels.ram.look_rows = 1 + below(20);
    levels.ram.alone_rows = below(2) * 256;
    levels.ram.squeeze_rows = 1 + below(50);
  }
  void choose_checks(double growth) {
    small_searches.spilled.growth = growth;
    small_searches.spilled.first_check =
        growth == kAtTheEnd ? UINT64_MAX : 1 + below(graph_.edges.size());
  }
  void choose_runs() {
    SortedRunsSettings& runs = small_searches.runs = {};
    runs.block_rows = 1 + below(6);
    runs.group_rows = 1 + below(4);
    runs.chunk_bytes = 1 + below(100);
    runs.candidate_rows = 1 + below(100);
    runs.merge_rows = 1 + below(100);
    runs.squeeze_states = 1 + below(100);
    small_searches.leave_states = 1 + below(graph_.edges.size() / 2 + 1);
  }

 private:
  std::mt19937_64 random_;
  GraphSpec graph_;
  TestGraph model_;
};

// True if there is a run to compare.
bool has_one_run(OneProduct& product) {
  small_searches = {};
  const std::string expected = product.searched(kSmallRam, 1);
  for (const unsigned threads : kThreads) {
    for (const double growth : kGrowths) {
      product.choose_levels(growth);
      EXPECT_EQ(expected, product.searched(kSmallLevels, threads))
          << threads << " threads, growth " << growth << ", first check at "
          << small_searches.levels.first_check;
    }
    product.choose_runs();
    const double growth = kGrowths[product.below(std::size(kGrowths))];
    product.choose_checks(growth);
    EXPECT_EQ(expected, product.searched(kSmallSpilled, threads))
        << "on disk, " << threads << " threads, growth " << growth << ", first check at "
        << small_searches.spilled.first_check;
    for (const Algorithm* algorithm : {&kSmallAuto, &kSmallRuns, &kSmallAutoCycles})
      EXPECT_EQ(expected, product.searched(*algorithm, threads))
          << algorithm->name << ", " << threads << " threads, leaves memory at "
          << small_searches.leave_states << " states";
  }
  return !expected.empty();
}

TEST(Lassos, AreTheSameHoweverTheProductIsSearched) {
  const std::uint64_t wanted = setting("SPILLWAY_CASES", 15);
  std::uint64_t seed = setting("SPILLWAY_SEED", 1), lassos = 0, products = 0;
  for (; lassos < wanted; ++seed, ++products) {
    OneProduct product(seed);
    SCOPED_TRACE(fmt::format("SPILLWAY_SEED={}", seed));
    lassos += has_one_run(product) ? 1 : 0;
    ASSERT_FALSE(HasFailure()) << product.graph().text();
    ASSERT_LT(products, 10 * wanted) << "hardly any of them has an accepting cycle";
  }
  std::cout << products << " products, " << lassos << " with an accepting cycle\n";
}

}  // namespace
}  // namespace spillway
