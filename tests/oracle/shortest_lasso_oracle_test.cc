// Shortest lassos by levels, against searches that try everything: on graphs in memory, with lanes
// of any width and levels that are added one after the other; and by whole checks, which also have
// to agree on the run.
//
// SPILLWAY_CASES=50000 sets how many graphs, and RC_PARAMS="max_success=50000" how many checks.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>
#include <map>
#include <random>

#include "cases.h"
#include "oracle/expected_lasso.h"
#include "oracle/least_lasso.h"
#include "oracle/random_graph.h"
#include "oracle/small_searches.h"
#include "passes/shortest_lasso.h"
#include "support/check_in_memory.h"
#include "support/memory_disk.h"

namespace spillway {
namespace {

constexpr unsigned kMostThreads = 4;

// Graphs in memory
// -----------------------------------------------------------------------------------------------

struct MarkedEdge {
  Node to;
  SetMask mark;
};

// Nodes in the order of levels, as searches number them.
struct LevelledGraph {
  std::vector<std::vector<MarkedEdge>> edges;  // of each node, by target
  std::vector<Node> ends;                      // of levels
  SetMask wanted = 0;

  std::uint64_t level(Node node) const {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(ends, node) - ends.begin());
  }
};

LevelledGraph random_levels(std::mt19937_64& random) {
  const auto below = [&](std::uint64_t end) { return random() % end; };
  LevelledGraph graph;
  const std::uint64_t levels = 1 + below(9), width = 1 + below(5), sets = 1 + below(3);
  graph.wanted = all_sets(sets);
  for (std::uint64_t i = 0, nodes = 0; i < levels; ++i)
    graph.ends.push_back(nodes += 1 + below(width));
  const std::uint64_t marked = 1 + below(6), back = below(3);
  std::vector<std::map<Node, SetMask>> edges(graph.ends.back());
  const auto add = [&](Node from, Node to) {
    SetMask mark = 0;
    for (unsigned set = 0; set < sets; ++set)
      if (below(marked) == 0) mark |= SetMask{1} << set;
    edges[from][to] |= mark;
  };
  for (Node node = 0; node < graph.ends.back(); ++node) {
    const std::uint64_t level = graph.level(node);
    if (level != 0) {
      const Node begin = level == 1 ? 0 : graph.ends[level - 2];
      add(begin + below(graph.ends[level - 1] - begin), node);
    }
    const Node end = graph.ends[std::min(level + 1, levels - 1)];
    for (std::uint64_t i = below(2 + back); i > 0; --i) add(node, below(end));
  }
  for (const std::map<Node, SetMask>& of : edges) {
    std::vector<MarkedEdge>& list = graph.edges.emplace_back();
    for (const auto& [to, mark] : of) list.push_back({to, mark});
  }
  return graph;
}

// The lasso that is promised, by layers of (node, sets met) from each node.
struct PlainLasso {
  std::uint64_t length = UINT64_MAX;
  Node entry = 0;
  std::vector<Node> loop;
};

std::vector<Node> plain_cycle(const LevelledGraph& graph, Node entry) {
  using Place = std::pair<Node, SetMask>;
  std::map<Place, std::uint64_t> steps = {{{entry, 0}, 0}};
  std::vector<std::vector<Place>> layers = {{{entry, 0}}};
  while (!layers.back().empty()) {
    std::vector<Place> next;
    bool closed = false;
    for (const auto& [node, met] : layers.back())
      for (const MarkedEdge& edge : graph.edges[node]) {
        const Place to{edge.to, met | edge.mark};
        closed = closed || to == Place{entry, graph.wanted};
        if (steps.emplace(to, layers.size()).second) next.push_back(to);
      }
    if (!closed) {
      std::ranges::sort(next);
      layers.push_back(std::move(next));
      continue;
    }
    std::vector<Node> cycle{entry};
    Place at{entry, graph.wanted};
    for (std::size_t i = layers.size(); i-- > 1;) {
      at = *std::ranges::find_if(layers[i], [&](const Place& from) {
        return std::ranges::any_of(graph.edges[from.first], [&](const MarkedEdge& edge) {
          return Place{edge.to, from.second | edge.mark} == at;
        });
      });
      cycle.push_back(at.first);
    }
    std::ranges::reverse(cycle);
    return cycle;
  }
  return {};
}

PlainLasso plain_lasso(const LevelledGraph& graph) {
  PlainLasso best;
  for (Node node = 0; node < graph.ends.back(); ++node) {
    std::vector<Node> cycle = plain_cycle(graph, node);
    if (cycle.empty()) continue;
    const std::uint64_t length = graph.level(node) + cycle.size();
    const bool later = graph.level(node) > graph.level(best.entry);
    if (length < best.length || (length == best.length && later))
      best = {length, node, std::move(cycle)};
  }
  return best;
}

// The same by passes, with levels that are added one after the other.
class ByPasses {
 public:
  ByPasses(const LevelledGraph& graph, std::mt19937_64& random) : graph_(graph), random_(random) {
    settings_.passes.components = below(2) == 0;
    settings_.passes.most_passes = 1 + below(4);
    settings_.most_lanes = 1U << below(7);
    if (below(2) == 0) settings_.room = {&disk_, UINT64_MAX / 2, 4096};
  }

  PlainLasso find() {
    Crew crew(1 + static_cast<unsigned>(below(kMostThreads)));
    Edges edges(budget_, 0, 1 + below(9));
    LassoInLevels lasso;
    std::uint64_t levels = 0, without = 0;
    while (levels < graph_.ends.size()) {
      levels = std::max(std::min<std::uint64_t>(levels + 1 + below(4), graph_.ends.size()),
                        std::min<std::uint64_t>(lasso.wanted_levels(), graph_.ends.size()));
      const std::vector<Node> ends(graph_.ends.begin(),
                                   graph_.ends.begin() + static_cast<std::ptrdiff_t>(levels));
      put(edges, ends.back());
      const bool is_all = levels == graph_.ends.size();
      settings_.passes.targets = graph_.ends[std::min<std::size_t>(levels, graph_.ends.size() - 1)];
      const auto found =
          lasso.find({edges, graph_.wanted, ends}, without, is_all, budget_, crew, settings_);
      if (!found) {
        if (lasso.wanted_levels() == 0) without = levels;
        continue;
      }
      EXPECT_EQ(found->why_not, "");
      return {graph_.level(found->cycle.first) + found->cycle.nodes.size(), found->cycle.first,
              found->cycle.nodes};
    }
    return {};
  }

 private:
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  void put(Edges& edges, Node end) {
    const std::size_t first = edges.block_of(edges.nodes());
    edges.extend(end);
    EdgeBlock block;
    for (std::size_t i = first; i < edges.blocks(); ++i) {
      block.begin(edges.begin(i));
      for (Node node = edges.begin(i); node < edges.end(i); ++node) {
        std::vector<Node> targets;
        std::vector<SetMask> marks;
        for (const MarkedEdge& edge : graph_.edges[node]) {
          targets.push_back(edge.to);
          marks.push_back(edge.mark);
        }
        block.add(targets, marks);
      }
      edges.put(i, block);
    }
    edges.settle();
  }

  const LevelledGraph& graph_;
  std::mt19937_64& random_;
  Budget budget_{std::uint64_t{1} << 28};
  MemoryDisk disk_;
  ShortestLassoSettings settings_;
};

std::string text_of(const LevelledGraph& graph) {
  std::string text =
      fmt::format("levels end at {}, sets {:x}\n", fmt::join(graph.ends, " "), graph.wanted);
  for (Node node = 0; node < graph.edges.size(); ++node)
    for (const MarkedEdge& edge : graph.edges[node])
      text += fmt::format("{} -> {} {:x}\n", node, edge.to, edge.mark);
  return text;
}

TEST(ShortestLasso, IsTheOneThatIsPromisedOfRandomGraphs) {
  const std::uint64_t wanted = cases(2000), first = number_from("SPILLWAY_SEED", 1);
  std::uint64_t lassos = 0, longer = 0;
  for (std::uint64_t seed = first; seed < first + wanted; ++seed) {
    std::mt19937_64 random(seed);
    const LevelledGraph graph = random_levels(random);
    const PlainLasso expected = plain_lasso(graph);
    const PlainLasso found = ByPasses(graph, random).find();
    lassos += expected.loop.empty() ? 0 : 1;
    longer += expected.loop.size() > 3 ? 1 : 0;
    ASSERT_EQ(found.length, expected.length) << "SPILLWAY_SEED=" << seed << "\n" << text_of(graph);
    ASSERT_EQ(found.entry, expected.entry) << "SPILLWAY_SEED=" << seed << "\n" << text_of(graph);
    ASSERT_EQ(found.loop, expected.loop) << "SPILLWAY_SEED=" << seed << "\n" << text_of(graph);
  }
  std::cout << fmt::format("{} graphs, {} with a lasso, {} with a loop of more than 3 steps\n",
                           wanted, lassos, longer);
  if (wanted < kEnoughToTell) return;
  EXPECT_GT(lassos, wanted / 4);
  EXPECT_LT(lassos, wanted);
  EXPECT_GT(longer, wanted / 20);
}

// Whole checks
// -----------------------------------------------------------------------------------------------

void arbitrary_searches() {
  small_searches = {};
  RamCyclesSettings& levels = small_searches.levels;
  levels.growth = *one_of<double>({1.1, 2, 1e9});
  levels.first_check = *one_of<std::uint64_t>({1, 5, UINT64_MAX});
  levels.block_nodes = *rc::gen::inRange<std::uint64_t>(1, 9);
  levels.ram.unit_rows = *rc::gen::inRange<std::size_t>(1, 5);
  levels.ram.alone_rows = *one_of<std::size_t>({0, 256});
  small_searches.spilled.growth = levels.growth;
  small_searches.spilled.first_check = *one_of<std::uint64_t>({1, 5, UINT64_MAX});
  small_searches.leave_states = *rc::gen::inRange<std::uint64_t>(1, 40);
  small_searches.runs.candidate_rows = *one_of<std::size_t>({1, 3, 1000});
  small_searches.runs.merge_rows = *one_of<std::size_t>({1, 100});
}

CheckResult checked(const Model& model, const Algorithm& algorithm, unsigned threads) {
  CheckOptions options;
  options.session.threads = threads;
  options.memory_bytes = std::uint64_t{64} << 20;
  options.minimal = true;
  return check_in_memory(model, algorithm, options);
}

std::vector<std::vector<Word>> states_of(const CheckResult& result) {
  std::vector<std::vector<Word>> states;
  for (const Trace& trace : result.traces) {
    states.push_back({trace.loop_start().value_or(UINT64_MAX)});
    for (const Step& step : trace.steps) states.push_back(step.row);
  }
  return states;
}

// What is wrong with a result; empty if nothing is.
std::string wrong_with(const CheckResult& result, std::optional<std::uint64_t> shortest) {
  if (!shortest)
    return result.verdict.outcome == Outcome::verified
               ? ""
               : "there is none, but: " + result.verdict.reason;
  if (result.verdict.exit != Exit::reachable || result.traces.size() != 1)
    return "it was not found: " + result.verdict.reason;
  const std::uint64_t steps = result.traces[0].steps.size() - 1;
  if (result.traces[0].shortest ? steps == *shortest : steps >= *shortest) return "";
  return fmt::format("{} steps instead of {}", steps, *shortest);
}

TEST(ShortestLasso, IsTheSameRunByAllSearchesByLevels) {
  std::uint64_t graphs = 0, runs = 0, shortest_runs = 0;
  EXPECT_TRUE(rc::check("shortest lassos", [&] {
    const GraphSpec graph = arbitrary_graph_with_acceptance();
    if (graph.initial.empty()) return;
    const TestGraph model(graph);
    const std::optional<std::uint64_t> shortest = shortest_lasso(model);
    arbitrary_searches();
    const CheckResult plain = checked(model, kSmallRam, 1);
    ++graphs;
    runs += shortest ? 1 : 0;
    shortest_runs += shortest && plain.traces.at(0).shortest ? 1 : 0;
    for (const Algorithm* algorithm :
         {&kSmallRam, &kSmallLevels, &kSmallSpilled, &kSmallAutoCycles}) {
      const CheckResult result =
          checked(model, *algorithm, *rc::gen::inRange<unsigned>(1, kMostThreads + 1));
      std::string why = wrong_with(result, shortest);
      if (why.empty() && states_of(result) != states_of(plain)) why = "another run";
      if (why.empty()) continue;
      std::cerr << graph.text() << "# " << algorithm->name << ": " << why << "\n";
      RC_FAIL(why);
    }
  }));
  std::cout << fmt::format("{} graphs, {} with an accepting cycle, {} shortest\n", graphs, runs,
                           shortest_runs);
  if (graphs < kEnoughToTell) return;
  EXPECT_GT(runs, graphs / 10);
  EXPECT_GT(shortest_runs, runs * 9 / 10);
}

// Where cutting off the search by the best length so far, with depths of the nodes, finds 6.
TEST(ShortestLasso, OfTheGraphThatPruningGetsWrong) {
  GraphSpec graph;
  graph.edges = {{0, 3}, {1, 2}, {1, 3}, {2, 0}, {2, 4}, {3, 4}, {4, 6}, {6, 1}};
  graph.initial = {0};
  graph.accepting = {0, 2, 3};
  small_searches = {};
  const TestGraph model(graph);
  for (const Algorithm* algorithm :
       {&kSmallRam, &kSmallLevels, &kSmallSpilled, &kSmallAutoCycles}) {
    const CheckResult result = checked(model, *algorithm, 2);
    ASSERT_EQ(result.traces.size(), 1U) << algorithm->name;
    EXPECT_EQ(result.traces[0].steps.size() - 1, 5U) << algorithm->name;
    EXPECT_TRUE(result.traces[0].shortest) << algorithm->name;
  }
}

// Two levels have a cycle of ten states, and a chain that leaves them has a loop at its end.
TEST(ShortestLasso, WaitsForLaterLevels) {
  GraphSpec graph;
  for (Vertex i = 0; i < 10; ++i) {
    graph.edges.emplace_back(0, 10 + i);
    graph.edges.emplace_back(10 + i, 10 + (i + 1) % 10);
  }
  for (Vertex i = 0; i < 6; ++i) graph.edges.emplace_back(i, i + 1);
  graph.edges.emplace_back(6, 6);
  graph.initial = {0};
  graph.accepting = {6, 10};
  small_searches = {};
  small_searches.levels.first_check = 1;
  small_searches.levels.growth = 1.01;
  small_searches.spilled.first_check = 1;
  small_searches.spilled.growth = 1.01;
  const TestGraph model(graph);
  for (const Algorithm* algorithm :
       {&kSmallRam, &kSmallLevels, &kSmallSpilled, &kSmallAutoCycles}) {
    const CheckResult result = checked(model, *algorithm, 1);
    ASSERT_EQ(result.traces.size(), 1U) << algorithm->name;
    EXPECT_EQ(result.traces[0].steps.size() - 1, 7U) << algorithm->name;
  }
}

}  // namespace
}  // namespace spillway
