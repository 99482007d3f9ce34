// Shortest paths, against distances.
#include "passes/shortest_path.h"

#include <gtest/gtest.h>

#include "cases.h"
#include "unit/passes/some_graphs.h"

namespace spillway {
namespace {

constexpr std::size_t kFar = SIZE_MAX;

struct Ways {
  Targets targets;
  std::vector<Node> from;
  Nodes among, to;
};

// How many steps lead to each node, through nodes that may stand before the last one.
std::vector<std::size_t> distances(const Ways& ways) {
  std::vector<std::size_t> found(ways.targets.size(), kFar);
  for (const Node node : ways.from) found[node] = 0;
  for (std::size_t step = 0; step < found.size(); ++step)
    for (Node node = 0; node < found.size(); ++node)
      for (const Node target : ways.targets[node])
        if (found[node] == step && ways.among[node])
          found[target] = std::min(found[target], step + 1);
  return found;
}

std::vector<Node> expected(const Ways& ways) {
  const std::vector<std::size_t> far = distances(ways);
  Node last = far.size();
  for (Node node = far.size(); node-- > 0;)
    if (ways.to[node] && far[node] != kFar && (last == far.size() || far[node] <= far[last]))
      last = node;
  if (last == far.size()) return {};
  std::vector<Node> path{last};
  while (far[path.front()] != 0) {
    Node before = 0;
    while (far[before] != far[path.front()] - 1 || !ways.among[before] ||
           std::ranges::count(ways.targets[before], path.front()) == 0)
      ++before;
    path.insert(path.begin(), before);
  }
  return path;
}

TEST(ShortestPath, IsTheLeastOfTheShortestOnes) {
  Random random(5);
  Budget budget(std::uint64_t{1} << 24);
  const std::uint64_t count = cases(3000);
  std::uint64_t found = 0, through_many = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    Ways ways{some_targets(random), {}, {}, {}};
    const std::size_t size = ways.targets.size();
    ways.among = some_nodes(random, size);
    for (std::size_t k = 0; k < size; ++k) ways.to.push_back(random() % 16 == 0);
    for (std::uint64_t k = 1 + random() % 3; k-- > 0;) ways.from.push_back(random() % size);
    const Edges edges = packed(ways.targets, budget, 1 + random() % 9);
    const std::vector<Node> path = shortest_path(
        edges,
        {ways.from, [&](Node at) { return ways.among[at]; }, [&](Node at) { return ways.to[at]; }},
        budget, [] {});
    ASSERT_EQ(path, expected(ways)) << "graph " << i;
    found += path.empty() ? 0 : 1;
    through_many += path.size() > 2 ? 1 : 0;
  }
  EXPECT_GT(found, count / 5);
  EXPECT_LT(found, count - count / 30);
  EXPECT_GT(through_many, count / 30);
  EXPECT_EQ(budget.used(), 0U);
}

}  // namespace
}  // namespace spillway
