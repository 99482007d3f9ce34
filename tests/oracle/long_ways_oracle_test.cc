// Graphs on which passes or searches for accepting cycles can take a long time: combs, in which
// each pass over the edges removes one tooth, and chains of cycles, in which each round removes
// one.
//
// The time is that of the processor, so that a busy machine does not matter.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "algorithms/algorithms.h"
#include "check/check.h"
#include "oracle/test_graph.h"
#include "sanitized.h"
#include "support/check_in_memory.h"

namespace spillway {
namespace {

constexpr Vertex kCount = 1000;  // teeth, or cycles
constexpr Vertex kToothNodes = 20;
constexpr double kMostSeconds = kSanitized ? 60 : 10;  // a hundred times what they take

// The ways lead from one node to all teeth, and from the end of each tooth to the next one.
GraphSpec comb(bool accepts_everywhere, bool has_cycle) {
  GraphSpec graph;
  graph.initial = {0};
  const auto at = [](Vertex tooth, Vertex i) { return 1 + tooth * kToothNodes + i; };
  for (Vertex tooth = 0; tooth < kCount; ++tooth) {
    graph.edges.emplace_back(0, at(tooth, 0));
    for (Vertex i = 0; i + 1 < kToothNodes; ++i)
      graph.edges.emplace_back(at(tooth, i), at(tooth, i + 1));
    if (tooth + 1 < kCount) graph.edges.emplace_back(at(tooth, kToothNodes - 1), at(tooth + 1, 0));
    for (Vertex i = 0; i < kToothNodes; ++i)
      if (accepts_everywhere || i == 0) graph.accepting.push_back(at(tooth, i));
  }
  if (has_cycle) graph.edges.emplace_back(at(kCount - 1, kToothNodes - 1), at(kCount - 1, 0));
  return graph;
}

// Cycles of two nodes that do not accept, and a node that does between one and the next.
GraphSpec chain(bool has_cycle) {
  GraphSpec graph;
  graph.initial = {0};
  for (Vertex i = 0; i < kCount; ++i) {
    const Vertex first = 3 * i;
    graph.edges.insert(
        graph.edges.end(),
        {{first, first + 1}, {first + 1, first}, {first + 1, first + 2}, {first + 2, first + 3}});
    graph.accepting.push_back(first + 2);
  }
  if (has_cycle) graph.edges.emplace_back(3 * kCount, 3 * kCount - 1);
  return graph;
}

struct LongWay {
  std::string name;
  GraphSpec graph;
  bool has_cycle;
};

std::vector<LongWay> long_ways() {
  std::vector<LongWay> all;
  for (const bool has_cycle : {false, true}) {
    all.push_back({"comb that accepts everywhere", comb(true, has_cycle), has_cycle});
    all.push_back({"comb that accepts at the teeth", comb(false, has_cycle), has_cycle});
    all.push_back({"chain of cycles", chain(has_cycle), has_cycle});
  }
  return all;
}

CheckResult searched(const TestGraph& model, std::string_view algorithm, unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.memory_bytes = std::uint64_t{256} << 20;
  for (const Algorithm& known : algorithms())
    if (known.name == algorithm) return check_in_memory(model, known, options);
  ADD_FAILURE() << "no algorithm " << algorithm;
  return {};
}

TEST(LongWays, EndInTime) {
  for (const LongWay& way : long_ways()) {
    const TestGraph model(way.graph);
    for (const std::string_view algorithm : {"levels", "nested-dfs", "ufscc"})
      for (const unsigned threads : {1, 3}) {
        SCOPED_TRACE(fmt::format("{}, {} with {} threads", way.name, algorithm, threads));
        const std::clock_t begin = std::clock();
        const CheckResult result = searched(model, algorithm, threads);
        EXPECT_EQ(word(result.verdict.outcome), way.has_cycle ? "VIOLATED" : "VERIFIED")
            << result.verdict.reason;
        EXPECT_LT(static_cast<double>(std::clock() - begin), kMostSeconds * CLOCKS_PER_SEC);
      }
  }
}

}  // namespace
}  // namespace spillway
