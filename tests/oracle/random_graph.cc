#include "oracle/random_graph.h"

namespace spillway {
namespace {

// Wild edges, or mostly steps along a line: levels are then many and narrow.
rc::Gen<std::vector<std::pair<Vertex, Vertex>>> edges(Vertex nodes, bool line) {
  const auto node = rc::gen::inRange<Vertex>(0, nodes);
  const auto any =
      rc::gen::container<std::vector<std::pair<Vertex, Vertex>>>(rc::gen::pair(node, node));
  if (!line) return any;
  return rc::gen::map(any, [nodes](std::vector<std::pair<Vertex, Vertex>> extra) {
    // back, or one step on
    for (auto& [from, to] : extra) to = to <= from ? to : (from + 1) % nodes;
    for (Vertex i = 0; i + 1 < nodes; ++i) extra.emplace_back(i, i + 1);
    return extra;
  });
}

// Few as a rule: with many initial or bad states everything is over at once.
template <class T>
std::vector<T> a_few(const rc::Gen<T>& element) {
  const std::size_t most = *one_of<std::size_t>({0, 1, 1, 2, 10});
  return *rc::gen::container<std::vector<T>>(*rc::gen::inRange<std::size_t>(0, most + 1), element);
}

}  // namespace

GraphSpec arbitrary_graph(bool deep) {
  GraphSpec graph;
  const Vertex most = *one_of<Vertex>({6, 15, 80});  // from dense to sparse
  const Vertex nodes =
      deep ? *rc::gen::inRange<Vertex>(250, 1500) : *rc::gen::inRange<Vertex>(1, most);
  const rc::Gen<Vertex> node = rc::gen::inRange<Vertex>(0, nodes);
  graph.edges = *edges(nodes, deep || *rc::gen::inRange(0, 4) == 0);
  if (!deep) graph.initial = a_few(node);
  graph.initial.push_back(0);
  graph.deadlock =
      *one_of<Deadlock>({Deadlock::off, Deadlock::off, Deadlock::stuck, Deadlock::stuttering});
  graph.words = *one_of<std::size_t>({1, 1, 2, 2, 3, 9});
  graph.coding = *rc::gen::inRange(0U, kCodings);
  graph.bad = a_few(rc::gen::pair(node, rc::gen::inRange<PropertyIndex>(0, 2)));
  if (deep && *rc::gen::inRange(0, 2) == 0) graph.bad = {{nodes - 1, 0}};
  if (*rc::gen::inRange(0, 4) == 0) graph.failing = a_few(node);
  return graph;
}

}  // namespace spillway
