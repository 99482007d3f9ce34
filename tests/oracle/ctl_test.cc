// Formulas of branching time on random graphs, against what they mean.
//
// How many graphs: SPILLWAY_CASES.
#include <gtest/gtest.h>

#include <algorithm>

#include "cases.h"
#include "check/graph/ctl_path.h"
#include "ltl/formula/evaluate.h"
#include "ltl/reading/parse_ctl.h"
#include "oracle/ctl_reference.h"

namespace spillway {
namespace {

using Random = std::mt19937_64;

const std::vector<std::string> kNames = {"a", "b", "c"};

LabelledGraph some_labelled_graph(Random& random) {
  LabelledGraph graph;
  graph.targets.resize(1 + random() % 14);
  const std::uint64_t seldom = 1 + random() % 4;
  const bool stays = random() % 2 == 0;
  const std::uint64_t leads_nowhere = stays ? UINT64_MAX : 4 + random() % 8;
  for (std::size_t i = 0; i < graph.targets.size(); ++i) {
    for (std::uint64_t k = random() % 3; k-- > 0;)
      graph.targets[i].push_back(random() % graph.targets.size());
    if (i + 1 < graph.targets.size()) graph.targets[i].push_back(i + 1);
    if (graph.targets[i].empty() && stays) graph.targets[i].push_back(i);
    if (random() % leads_nowhere == 0) graph.targets[i].clear();
    Letter letter = 0;
    for (std::size_t p = 0; p < kNames.size(); ++p)
      if (random() % seldom == 0) letter |= Letter{1} << p;
    graph.letters.push_back(random() % 2 == 0 ? letter : ~letter & 7);
  }
  return graph;
}

Edges packed(const LabelledGraph& graph, Budget& budget, std::uint64_t block_nodes) {
  Edges edges(budget, graph.targets.size(), block_nodes);
  for (std::size_t i = 0; i < edges.blocks(); ++i) {
    EdgeBlock block;
    block.begin(edges.begin(i));
    for (Node node = edges.begin(i); node < edges.end(i); ++node) block.add(graph.targets[node]);
    edges.put(i, block);
  }
  return edges;
}

// The names of the atoms of a formula are in the order in which they occur.
std::vector<BitVector> propositions(const LabelledGraph& graph, const ltl::ParsedCtl& parsed,
                                    Budget& budget) {
  std::vector<BitVector> all;
  for (const ltl::Atom& atom : parsed.atoms) {
    const auto number =
        static_cast<std::size_t>(std::ranges::find(kNames, atom.text) - kNames.begin());
    all.emplace_back(budget, graph.letters.size());
    for (std::size_t i = 0; i < graph.letters.size(); ++i)
      if ((graph.letters[i] >> number & 1) != 0) all.back().set(i);
  }
  return all;
}
LabelledGraph relabelled(LabelledGraph graph, const std::vector<BitVector>& sets) {
  for (std::size_t i = 0; i < graph.letters.size(); ++i) {
    graph.letters[i] = 0;
    for (std::size_t p = 0; p < sets.size(); ++p)
      if (sets[p].get(i)) graph.letters[i] |= Letter{1} << p;
  }
  return graph;
}

bool leads(const LabelledGraph& graph, Node from, Node to) {
  return std::ranges::count(graph.targets[from], to) != 0;
}

// What is wrong with a path that is to show that the formula is false in some of `from`.
std::string fault(const LabelledGraph& graph, const std::vector<Node>& from, const CtlPath& path,
                  const std::optional<ltl::Formula>& linear) {
  if (path.nodes.empty() || std::ranges::count(from, path.nodes[0]) == 0)
    return "it begins wrongly";
  std::vector<Node> all = path.nodes;
  all.insert(all.end(), path.loop.begin(), path.loop.end());
  for (std::size_t i = 1; i < all.size(); ++i)
    if (!leads(graph, all[i - 1], all[i])) return "it is no path";
  if (!path.loop.empty() && path.loop.back() != path.nodes.back()) return "the loop is open";
  if (!path.complete || !linear) return "";
  std::vector<Letter> letters;
  for (const Node node : all) letters.push_back(graph.letters[node]);
  if (path.loop.empty()) {  // anything may follow
    if (graph.targets[all.back()].empty()) return "nothing goes on from it";
    for (Node next : {graph.targets[all.back()].front(), graph.targets[all.back()].back()}) {
      std::vector<Letter> on = letters;
      for (std::size_t i = 0; i < graph.targets.size(); ++i) {
        on.push_back(graph.letters[next]);
        next = graph.targets[next].front();
      }
      if (ltl::holds(*linear, on, on.size() - 1)) return "the formula is true if one goes on";
    }
    return "";
  }
  return ltl::holds(*linear, letters, path.nodes.size()) ? "the formula is true of it" : "";
}

TEST(Ctl, HoldsWhereItShouldAndPathsShowWhereNot) {
  Random random(7);
  Budget budget(std::uint64_t{1} << 26);
  Crew one(1), three(3);
  std::uint64_t complete = 0, partial = 0, loops = 0;
  const std::uint64_t count = cases(8000);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string text = random_ctl(random, kNames, 1 + static_cast<unsigned>(random() % 6));
    SCOPED_TRACE(testing::Message() << "graph " << i << ": " << text);
    const ltl::ParsedCtl parsed = ltl::parse_ctl("", text, {});
    LabelledGraph graph = some_labelled_graph(random);
    const std::vector<BitVector> sets = propositions(graph, parsed, budget);
    graph = relabelled(std::move(graph), sets);
    const Edges edges = packed(graph, budget, 1 + random() % 8);
    Branching branching(edges, budget, i % 16 == 0 ? three : one,
                        {.most_passes = random() % 3 == 0 ? random() % 2 : 24});
    const ltl::CtlFormula formula = ltl::with_negations_inside(parsed.formula);
    BitVector cut_off(budget, graph.letters.size());
    cut_off.fill(graph.letters.size());
    branching.always(cut_off);
    cut_off.flip();
    const CtlSets found(formula, sets, branching, cut_off.count() == 0 ? nullptr : &cut_off,
                        graph.letters.size(), budget);
    const std::vector<bool> wanted = ctl_reference(graph, parsed.formula);
    std::vector<Node> without;
    for (Node node = 0; node < wanted.size(); ++node) {
      ASSERT_EQ(found.of_all().get(node), wanted[node]) << "node " << node;
      if (!wanted[node] && (without.empty() || random() % 2 == 0)) without.push_back(node);
    }
    if (without.empty()) continue;
    CtlPaths paths(found, edges, budget, [] {});
    const CtlPath path = paths.refute(without);
    ASSERT_EQ(fault(without_dead_ends(graph), without, path, on_each_path(formula)), "");
    ++(path.complete ? complete : partial);
    loops += path.loop.empty() ? 0 : 1;
  }
  EXPECT_GT(complete, count / 8);
  EXPECT_GT(partial, count / 10);
  EXPECT_GT(loops, count / 40);
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace spillway
