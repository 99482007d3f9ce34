// Models in shared objects that keep their promises, or come close to not doing so.
#include "model/compiled_model.h"
#include "folders.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

CompiledModel model(const std::string& name) { return CompiledModel(model_file(name + ".so")); }

std::vector<Row> all(const Successors& made) {
  std::vector<Row> rows;
  for (const State s : made.states()) rows.emplace_back(s.begin(), s.end());
  return rows;
}

TEST(CompiledModel, SaysWhatTheTableSays) {
  const CompiledModel counter = model("misbehaving_nothing");
  EXPECT_EQ(counter.name(), "misbehaving");
  EXPECT_EQ(counter.words(), 1U);
  EXPECT_EQ(counter.row_bits(), 64U);
  EXPECT_EQ(counter.deadlock(), Deadlock::stuck);
  ASSERT_EQ(counter.properties().size(), 2U);
  EXPECT_EQ(counter.properties()[0].name, "below twenty");
  EXPECT_EQ(counter.properties()[0].kind, PropertyKind::invariant);
  EXPECT_EQ(counter.properties()[1].name, "never seven");
  EXPECT_EQ(counter.properties()[1].kind, PropertyKind::assertion);
}

TEST(CompiledModel, MakesStatesAndNamesRules) {
  const CompiledModel counter = model("misbehaving_nothing");
  Successors made(1);
  made.want_rules(true);
  counter.initial(made);
  EXPECT_EQ(all(made), (std::vector<Row>{{0}}));
  EXPECT_EQ(counter.rule_name(made.rule(0)), "start");
  made.clear();
  counter.successors(Row{4}, made);
  EXPECT_EQ(all(made), (std::vector<Row>{{5}, {4}}));
  EXPECT_EQ(counter.rule_name(made.rule(0)), "counts");
  EXPECT_EQ(counter.rule_name(made.rule(1)), "stutters");
  EXPECT_FALSE(made.failure());
}

TEST(CompiledModel, ChecksInvariants) {
  const CompiledModel counter = model("misbehaving_nothing");
  PropertyIndex violated[2] = {9, 9};
  EXPECT_EQ(counter.check(Row{19}, violated), 0U);
  EXPECT_EQ(counter.check(Row{20}, violated), 1U);
  EXPECT_EQ(violated[0], 0U);
}

TEST(CompiledModel, ShowsVariables) {
  const std::vector<Variable> shown = model("misbehaving_nothing").variables(Row{17});
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0].name, "count");
  EXPECT_EQ(shown[0].value, "17");
}

TEST(CompiledModel, WithoutTextsIndicesAndWordsAreShown) {
  const CompiledModel cube = model("hypercube_16_words_2");
  EXPECT_EQ(cube.rule_name(3), "rule 3");
  EXPECT_EQ(cube.rule_name(kNoRule), "start");
  const std::vector<Variable> shown = cube.variables(Row{5, ~Word{0}});
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].name, "word[0]");
  EXPECT_EQ(shown[0].value, "0x0000000000000005");
  EXPECT_EQ(shown[1].name, "word[1]");
  EXPECT_EQ(shown[1].value, "0xffffffffffffffff");
}

TEST(CompiledModel, WithoutCheckAndAcceptingNothingIsViolatedOrAccepting) {
  const CompiledModel cube = model("hypercube_20");
  PropertyIndex none = 9;
  EXPECT_EQ(cube.check(Row{0}, &none), 0U);
  EXPECT_FALSE(cube.accepting(Row{0}));
}

TEST(CompiledModel, RowsOf64KiB) {
  const CompiledModel cube = model("hypercube_10_words_8192");
  ASSERT_EQ(cube.words(), 8192U);
  Successors made(8192);
  cube.initial(made);
  const Row start(made.states()[0].begin(), made.states()[0].end());
  cube.successors(start, made);
  ASSERT_EQ(made.size(), 11U);
  EXPECT_EQ(made.states()[10][9], 1U) << "the tenth bit is in the tenth word";
}

TEST(CompiledModel, AsksAgainForMoreSuccessorsThanThereIsRoomFor) {
  const CompiledModel counter = model("misbehaving_many_successors");
  Successors made(1);
  made.want_rules(true);
  counter.successors(Row{3}, made);
  counter.successors(Row{0}, made);
  ASSERT_EQ(made.size(), 5002U);
  EXPECT_EQ(made.states()[0][0], 4U) << "what was there before stays";
  EXPECT_EQ(made.states()[2][0], 1U);
  EXPECT_EQ(made.states()[5001][0], 4999U);
}

TEST(CompiledModel, LongTextsAreWhole) {
  const CompiledModel counter = model("misbehaving_long_texts");
  const std::string name = counter.rule_name(0);
  EXPECT_EQ(name.size(), 10000U);
  EXPECT_TRUE(name.ends_with(" counts"));
  const std::vector<Variable> shown = counter.variables(Row{17});
  EXPECT_EQ(shown.at(0).name.size(), 10000U);
  EXPECT_TRUE(shown.at(0).value.ends_with(" 17"));
}

TEST(CompiledModel, AFailingAssertionIsThatProperty) {
  const CompiledModel counter = model("misbehaving_failing_assertion");
  Successors made(1);
  counter.successors(Row{7}, made);
  ASSERT_TRUE(made.failure());
  EXPECT_EQ(made.failure()->assertion, PropertyIndex{1});
  EXPECT_EQ(made.failure()->message, "the count is seven");
  EXPECT_EQ(counter.rule_name(made.failure()->rule), "counts");
  EXPECT_EQ(made.size(), 1U) << "the other rules go on";
  counter.successors(Row{8}, made);
  EXPECT_FALSE(made.failure());
}

TEST(CompiledModel, ARunTimeErrorIsNoProperty) {
  Successors made(1);
  model("misbehaving_run_time_failure").successors(Row{7}, made);
  ASSERT_TRUE(made.failure());
  EXPECT_FALSE(made.failure()->assertion);
  EXPECT_EQ(made.failure()->message, "division by zero");
}

TEST(CompiledModel, RelativePathsAreMeantAsPaths) {
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(model_file(""));
  const auto error = caught([] { CompiledModel("pancake_9.so"); });
  std::filesystem::current_path(here);
  EXPECT_FALSE(error) << error->what();
}

TEST(CompiledModel, WhatIsNoSharedObjectIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.write("text.so", "int main() {}\n");
  const auto error = caught([&] { const CompiledModel none(path); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::model);
  EXPECT_TRUE(
      std::string(error->what()).starts_with(path + ": cannot load this as a shared object"))
      << error->what();
}

}  // namespace
}  // namespace spillway
