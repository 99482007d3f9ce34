// The steps that are made once more are those of the model, however few nodes are remembered.
#include "check/graph/step_maker.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <random>
#include <set>
#include <tuple>

#include "unit/caught.h"
#include "unit/check/searched_graph.h"

namespace spillway {
namespace {

using Kept = NumberedLevels::Kept;
using Steps = std::multiset<std::tuple<Node, Node, SetMask>>;

constexpr std::size_t kNodes = 2000;

// Some levels of hundreds of states, with steps forwards, backwards and to states themselves.
std::string some_graph(bool accepting) {
  std::mt19937_64 random(7);
  std::string text = "initial 0\n";
  for (std::size_t i = 0; i < kNodes; ++i) {
    if (i % 50 == 49) continue;  // leads nowhere
    std::string targets;
    for (int k = 0; k < 3; ++k)
      if (i * 3 + 1 + k < kNodes) targets += " " + std::to_string(i * 3 + 1 + k);
    targets += " " + std::to_string(random() % (i + 1)) + " " + std::to_string(i);
    text += std::to_string(i) + " ->" + targets + '\n';
  }
  if (accepting) text += "accepting 3 5 80 200\n";
  return text;
}

// What a maker has found, with the number of each row.
struct Found {
  Steps steps;
  std::size_t by_row = 0;
  StepMaker::Met met{};
};

struct Way {
  Kept kept = Kept::all;
  std::size_t room = 4 * kNodes;
  std::uint64_t levels = 0;  // that have steps already
};

Found found(SearchedGraph& graph, const Way& way) {
  NumberedLevels numbers = graph.numbers(way.kept);
  std::map<Word, Node> node_of;
  for (std::size_t depth = 0; depth < graph.levels.size(); ++depth) {
    for (const Word row : graph.levels[depth]) node_of.emplace(row, node_of.size());
    if (depth < way.levels) number_next(numbers, graph.search);
  }
  EdgePost post(graph.session, graph.budget, graph.crew, 16);
  Found all;
  std::mutex mutex;
  EdgePost::Arrivals arrivals;
  arrivals.edge = [&](unsigned, Node source, Node target, SetMask mark) {
    const std::lock_guard lock(mutex);
    all.steps.emplace(source, target, mark);
  };
  arrivals.step = [&](unsigned, Node source, State target, SetMask mark) {
    const std::lock_guard lock(mutex);
    all.steps.emplace(source, node_of.at(target[0]), mark);
    ++all.by_row;
  };
  StepMaker maker(graph.session, graph.budget, graph.crew, post,
                  {way.kept, way.room, numbers.size(), numbers.size(), way.levels, arrivals});
  const auto add = [&] {
    numbers.read(graph.search, numbers.levels(), [&](Node, States rows) { maker.add(rows); });
  };
  add();
  while (numbers.levels() < graph.levels.size()) {
    numbers.end_level(maker.end());
    const bool is_last = numbers.levels() == graph.levels.size();
    maker.begin_level(!is_last);
    if (!is_last) add();
  }
  all.met = maker.finish();
  return all;
}

// What it has to find, from node `first` on.
Steps expected(SearchedGraph& graph, Node first = 0) {
  std::map<Word, Node> node_of;
  for (const std::vector<Word>& level : graph.levels)
    for (const Word row : level) node_of.emplace(row, node_of.size());
  Steps steps;
  for (const auto& [row, node] : node_of) {
    if (node < first) continue;
    Successors out(1);
    const std::vector<Word> state{row};
    graph.model.successors(state, out);
    const SetMask mark = graph.model.has_acceptance() && graph.model.accepting(state) ? 1 : 0;
    for (const State target : out.states()) steps.emplace(node, node_of.at(target[0]), mark);
    if (out.size() == 0 && !graph.model.has_acceptance()) steps.emplace(node, node, 0);
  }
  return steps;
}

TEST(StepMaker, MakesAllSteps) {
  SearchedGraph graph(some_graph(false));
  const Found all = found(graph, {});
  EXPECT_EQ(all.steps, expected(graph));
  EXPECT_FALSE(all.met.lost);
  EXPECT_EQ(all.by_row, 0U);
  EXPECT_FALSE(all.met.dead_end) << "a state without successors leads to itself";
}

TEST(StepMaker, ForgetsNodesAndNoSteps) {
  SearchedGraph graph(some_graph(false));
  for (const std::size_t room : {64, 100, 700}) {
    const Found all = found(graph, {.room = room});
    EXPECT_EQ(all.steps, expected(graph)) << room;
    EXPECT_TRUE(all.met.lost);
    EXPECT_GT(all.by_row, 0U);
    EXPECT_LT(all.by_row, all.steps.size() * 9 / 10);
  }
}

TEST(StepMaker, SaysWhichStepsAreAccepting) {
  SearchedGraph graph(some_graph(true));
  EXPECT_EQ(found(graph, {.kept = Kept::accepting}).steps, expected(graph));
  EXPECT_EQ(found(graph, {.kept = Kept::accepting, .room = 64}).steps, expected(graph));
}

TEST(StepMaker, BeginsWhereItEndedBefore) {
  SearchedGraph graph(some_graph(false));
  const Node first = graph.levels[0].size() + graph.levels[1].size();
  const Found all = found(graph, {.levels = 2});
  EXPECT_EQ(all.steps, expected(graph, first));
  EXPECT_TRUE(all.met.lost) << "steps lead back to levels that nobody has added";
}

TEST(StepMaker, CountsNothing) {
  SearchedGraph graph(some_graph(false));
  const std::uint64_t before = graph.session.expanders.total();
  found(graph, {});
  EXPECT_EQ(graph.session.expanders.total(), before);
}

// A state has fewer successors than the search has seen.
TEST(StepMaker, NoticesStepsThatVanish) {
  SearchedGraph graph("initial a\na -> b c\nb -> c\nc -> c\n");
  EdgePost post(graph.session, graph.budget, graph.crew, 16);
  EdgePost::Arrivals arrivals;
  arrivals.edge = [](unsigned, Node, Node, SetMask) {};
  StepMaker maker(graph.session, graph.budget, graph.crew, post,
                  {.kept = Kept::all, .room = 64, .arrivals = arrivals});
  const std::vector<Word> other{1};  // instead of a
  maker.add({other.data(), 1, 1});
  maker.begin_level(false);
  const std::vector<Word> next{2};
  maker.add({next.data(), 1, 1});
  const std::optional<Error> error = caught([&] { maker.finish(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
}

}  // namespace
}  // namespace spillway
