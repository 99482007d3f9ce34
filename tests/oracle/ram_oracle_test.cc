// The RAM search against the reference on random graphs, with buffers of absurd sizes.
//
// RapidCheck makes the graphs and shrinks those that fail.  How many: RC_PARAMS="max_success=100000".
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "oracle/compare.h"
#include "oracle/test_graph.h"
#include "safety/ram.h"

namespace spillway {
namespace {

struct Case {
  GraphSpec graph;
  RamSettings settings;
  unsigned threads = 1;
};

void showValue(const Case& c, std::ostream& out) {
  out << c.graph.text()
      << fmt::format(
             "# threads {}, first_homes {}, chunk_bytes {}, unit_rows {}, in_flight {}, batch_bytes {}, "
             "alone_rows {}, window_rows {}\n",
             c.threads, c.settings.first_homes, c.settings.chunk_bytes, c.settings.unit_rows, c.settings.in_flight,
             c.settings.batch_bytes, c.settings.alone_rows, c.settings.window_rows);
}

thread_local RamSettings settings_in_use;
const Algorithm kRam{"ram", "", [](Means means) { return make_ram(means, settings_in_use); }};

CheckResult run(const Model& model, const Case& c) {
  settings_in_use = c.settings;
  CheckOptions options;
  options.run.threads = c.threads;
  options.run.deadlock = c.graph.deadlock;
  options.memory_bytes = std::uint64_t{64} << 20;
  return check(model, kRam, options);
}

std::string failure_of(const Case& c) {
  const TestGraph model(c.graph);
  return difference(model, c.graph.deadlock, run(model, c), reference(model, c.graph.deadlock));
}

template <class T>
rc::Gen<T> one_of(std::vector<T> values) {
  return rc::gen::elementOf(std::move(values));
}

// Wild edges, or mostly steps along a line: levels are then many and narrow.
rc::Gen<std::vector<std::pair<Node, Node>>> edges(Node nodes, bool line) {
  const auto node = rc::gen::inRange<Node>(0, nodes);
  const auto any = rc::gen::container<std::vector<std::pair<Node, Node>>>(rc::gen::pair(node, node));
  if (!line) return any;
  return rc::gen::map(any, [nodes](std::vector<std::pair<Node, Node>> extra) {
    for (auto& [from, to] : extra) to = to <= from ? to : (from + 1) % nodes;  // back, or one step on
    for (Node i = 0; i + 1 < nodes; ++i) extra.emplace_back(i, i + 1);
    return extra;
  });
}

// Few as a rule: with many initial or bad states everything is over at once.
template <class T>
std::vector<T> a_few(const rc::Gen<T>& element) {
  const std::size_t most = *one_of<std::size_t>({0, 1, 1, 2, 10});
  return *rc::gen::container<std::vector<T>>(*rc::gen::inRange<std::size_t>(0, most + 1), element);
}

GraphSpec arbitrary_graph(bool deep) {
  GraphSpec graph;
  const Node most = *one_of<Node>({6, 15, 80});  // from dense to sparse
  const Node nodes = deep ? *rc::gen::inRange<Node>(250, 1500) : *rc::gen::inRange<Node>(1, most);
  const rc::Gen<Node> node = rc::gen::inRange<Node>(0, nodes);
  graph.edges = *edges(nodes, deep || *rc::gen::inRange(0, 4) == 0);
  if (!deep) graph.initial = a_few(node);
  graph.initial.push_back(0);
  graph.deadlock = *one_of<Deadlock>({Deadlock::off, Deadlock::off, Deadlock::stuck, Deadlock::stuttering});
  graph.words = *one_of<std::size_t>({1, 1, 2, 2, 3, 9});
  graph.coding = *rc::gen::inRange(0U, kCodings);
  graph.bad = a_few(rc::gen::pair(node, rc::gen::inRange<PropertyIndex>(0, 2)));
  if (deep && *rc::gen::inRange(0, 2) == 0) graph.bad = {{nodes - 1, 0}};
  if (*rc::gen::inRange(0, 4) == 0) graph.failing = a_few(node);
  return graph;
}

RamSettings absurd_settings() {
  RamSettings settings;
  settings.first_homes = *rc::gen::inRange<std::size_t>(1, 4);
  settings.chunk_bytes = *one_of<std::size_t>({1, 8, 24, 80, 4096});
  settings.unit_rows = *rc::gen::inRange<std::size_t>(1, 5);
  settings.in_flight = *rc::gen::inRange<std::size_t>(0, 6);
  settings.batch_bytes = *one_of<std::size_t>({1, 16, 100, 4096});
  settings.alone_rows = *one_of<std::size_t>({0, 0, 3, 256});
  settings.window_rows = *one_of<std::size_t>({0, 1, 7, 100, 100000});
  return settings;
}

Case arbitrary_case(bool deep) {
  Case c;
  c.graph = arbitrary_graph(deep);
  c.settings = absurd_settings();
  c.threads = *rc::gen::inRange(1U, 9U);
  return c;
}

bool holds(bool deep) {
  return rc::check(deep ? "deep graphs" : "graphs", [deep] {
    const Case c = arbitrary_case(deep);
    const std::string why = failure_of(c);
    if (why.empty()) return;
    showValue(c, std::cerr);
    RC_FAIL(why);
  });
}

TEST(RamOracle, AgreesWithTheReferenceOnRandomGraphs) { EXPECT_TRUE(holds(false)); }

TEST(RamOracle, AgreesWithTheReferenceOnGraphsOfMoreThan255Levels) { EXPECT_TRUE(holds(true)); }

}  // namespace
}  // namespace spillway
