// States have numbers by level and row, whatever order they come in.
#include "check/graph/numbered_levels.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "unit/caught.h"
#include "unit/check/searched_graph.h"

namespace spillway {
namespace {

// a is row 0, c 1, b 2, d 3 and e 4.  The search comes upon b before c, and upon e before d.
const char* const kText =
    "initial a\n"
    "state a c b d e\n"
    "a -> b c\n"
    "b -> e\n"
    "c -> d a\n"
    "d -> d\n"
    "accepting d\n";

TEST(NumberedLevels, GoByLevelAndRow) {
  SearchedGraph graph(kText);
  NumberedLevels numbers = graph.numbers();
  for (int i = 0; i < 3; ++i) number_next(numbers, graph.search);
  EXPECT_EQ(numbers.ends(), (std::vector<Node>{1, 3, 5}));
  std::map<Node, Word> rows;
  std::mutex mutex;
  for (std::uint64_t depth = 0; depth < 3; ++depth)
    numbers.each(graph.search, depth, [&](unsigned, Node node, State row) {
      const std::lock_guard lock(mutex);
      rows[node] = row[0];
    });
  EXPECT_EQ(rows, (std::map<Node, Word>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
}

TEST(NumberedLevels, KnowTheLevelOfANode) {
  SearchedGraph graph(kText);
  NumberedLevels numbers = graph.numbers();
  for (int i = 0; i < 3; ++i) number_next(numbers, graph.search);
  EXPECT_EQ(numbers.level(0), 0U);
  EXPECT_EQ(numbers.level(1), 1U);
  EXPECT_EQ(numbers.level(2), 1U);
  EXPECT_EQ(numbers.level(3), 2U);
  EXPECT_EQ(numbers.begin(0), 0U);
  EXPECT_EQ(numbers.begin(2), 3U);
}

TEST(NumberedLevels, GiveRowsInTheOrderAskedFor) {
  SearchedGraph graph(kText);
  NumberedLevels numbers = graph.numbers();
  for (int i = 0; i < 3; ++i) number_next(numbers, graph.search);
  const std::vector<Node> nodes{4, 0, 2, 4};
  EXPECT_EQ(numbers.rows(graph.search, nodes),
            (std::vector<std::vector<Word>>{{4}, {0}, {2}, {4}}));
  EXPECT_TRUE(numbers.rows(graph.search, {}).empty());
}

// A level is read again, and one of its states is another one.
class WithAnother final : public LevelReader {
 public:
  explicit WithAnother(LevelReader& of) : of_(of) {}
  void each_at_depth(std::uint64_t depth,
                     const std::function<void(unsigned, State)>& visit) override {
    of_.each_at_depth(depth, [&](unsigned thread, State row) {
      visit(thread, std::vector<Word>{row[0] == 2 ? 3 : row[0]});
    });
  }

 private:
  LevelReader& of_;
};

TEST(NumberedLevels, AreThoseOfTheSearch) {
  SearchedGraph graph(kText);
  NumberedLevels numbers = graph.numbers();
  WithAnother reader(graph.search);
  number_next(numbers, reader);
  const std::optional<Error> error = caught([&] { number_next(numbers, reader); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::integrity);
}

}  // namespace
}  // namespace spillway
