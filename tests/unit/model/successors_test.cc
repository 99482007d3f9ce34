#include <gtest/gtest.h>

#include "folders.h"
#include "language/graph/graph_model.h"
#include "model/compiled_model.h"
#include "model/model.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

// Writes rows as a model does.
void write(Successors& out, const std::vector<Row>& rows, RuleIndex rule = 0) {
  if (out.room() < rows.size()) out.make_room(rows.size());
  Word* place = out.rows();
  for (const Row& row : rows) place = std::copy(row.begin(), row.end(), place);
  if (RuleIndex* rules = out.rules()) std::fill_n(rules, rows.size(), rule);
  out.add(rows.size());
}

std::vector<Row> all(const States& states) {
  std::vector<Row> rows;
  for (const State s : states) rows.emplace_back(s.begin(), s.end());
  return rows;
}

TEST(Successors, BeginEmptyAndWithoutRoom) {
  const Successors out(3);
  EXPECT_EQ(out.size(), 0U);
  EXPECT_EQ(out.room(), 0U);
  EXPECT_TRUE(out.states().empty());
  EXPECT_FALSE(out.failure());
}

TEST(Successors, CallsAppend) {
  Successors out(2);
  write(out, {{1, 2}, {3, 4}});
  write(out, {});
  write(out, {{5, 6}});
  EXPECT_EQ(all(out.states()), (std::vector<Row>{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(all(out.states(2)), (std::vector<Row>{{5, 6}})) << "those from the second on";
  EXPECT_TRUE(out.states(3).empty());
}

TEST(Successors, GrowthKeepsWhatIsThere) {
  Successors out(2);
  out.want_rules(true);
  std::vector<Row> expected;
  for (RuleIndex i = 0; i < 300; ++i) {
    const std::vector<Row> more(i % 7, Row{i, ~Word{i}});
    expected.insert(expected.end(), more.begin(), more.end());
    write(out, more, i);
    ASSERT_EQ(all(out.states()), expected);
  }
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out.rule(i), expected[i][0]);
}

TEST(Successors, MakeRoomGivesAtLeastWhatIsAskedFor) {
  Successors out(1);
  for (const std::size_t count : {1U, 5U, 1000U}) {
    out.make_room(count);
    EXPECT_GE(out.room(), count);
    write(out, std::vector<Row>(out.room(), Row{7}));
  }
}

TEST(Successors, ClearKeepsTheRoom) {
  Successors out(1);
  write(out, std::vector<Row>(100, Row{7}));
  const Word* before = out.states().data();
  out.clear();
  EXPECT_EQ(out.size(), 0U);
  EXPECT_GE(out.room(), 100U);
  write(out, {{8}});
  EXPECT_EQ(out.states().data(), before);
}

TEST(Successors, RulesAreWrittenOnlyWhenWanted) {
  Successors out(1);
  out.make_room(1);
  EXPECT_EQ(out.rules(), nullptr);
  out.want_rules(true);
  EXPECT_NE(out.rules(), nullptr);
}

TEST(Successors, FailureIsThatOfTheLastCall) {
  Successors out(1);
  out.make_room(3);
  out.add(1, Failure{3, PropertyIndex{1}, "broken"});
  ASSERT_TRUE(out.failure());
  EXPECT_EQ(out.failure()->rule, 3U);
  EXPECT_EQ(out.failure()->message, "broken");
  out.add(1);
  EXPECT_FALSE(out.failure());
  out.add(0, Failure{0, {}, "again"});
  EXPECT_TRUE(out.failure());
  out.clear();
  EXPECT_FALSE(out.failure());
}

TEST(Successors, ModelsOfAllKindsAppend) {
  const GraphModel graph("g", "initial a\na -> b c\nb -> a\n");
  const CompiledModel cube(model_file("hypercube_12_words_3.so"));
  Successors few(1);
  for (const Word state : {0, 1, 0}) graph.successors(Row{state}, few);
  EXPECT_EQ(all(few.states()), (std::vector<Row>{{1}, {2}, {0}, {1}, {2}}));
  Successors many(3);
  std::vector<Row> expected;
  for (Word i = 0; i < 50; ++i) {
    cube.successors(Row{i, 0, 0}, many);
    const std::vector<Row> made = all(many.states(many.size() - 12));
    expected.insert(expected.end(), made.begin(), made.end());
    ASSERT_EQ(made[1], (Row{i, 1, 0}));
  }
  EXPECT_EQ(all(many.states()), expected);
}

}  // namespace
}  // namespace spillway
