// What Run counts, and when it says that there is nothing more to search.
#include "check/run.h"

#include <gtest/gtest.h>

#include "model/graph_model.h"
#include "unit/caught.h"

namespace spillway {
namespace {

using Row = std::vector<Word>;

Digest digest_of(const std::vector<Word>& states) {
  Digest digest;
  for (const Word s : states) digest.add(Row{s});
  return digest;
}

bool finished(const std::function<void()>& code) {
  try {
    code();
  } catch (const Finished&) {
    return true;
  }
  return false;
}

// a has the number 0, b 1, and so on.
const GraphModel kGraph("g", "initial a\na -> b c c\nb -> d\nc -> d a\nd -> d\n");

TEST(Run, CountsLevelByLevel) {
  spillway::Run run(kGraph, {});
  EXPECT_EQ(run.initial().size(), 1U);
  run.begin(1);
  run.expander(0).expand(Row{0});
  run.end_level(2);
  run.expander(0).expand(Row{1});
  run.expander(0).expand(Row{2});
  run.end_level(1);
  run.expander(0).expand(Row{3});
  run.end_level(0);
  run.close();
  const Statistics& s = run.statistics();
  ASSERT_EQ(s.levels.size(), 3U);
  EXPECT_EQ(s.levels[0].states, 1U);
  EXPECT_EQ(s.levels[0].transitions, 3U) << "a repeated successor is a transition";
  EXPECT_EQ(s.levels[1].states, 2U);
  EXPECT_EQ(s.levels[1].transitions, 3U);
  EXPECT_EQ(s.levels[1].digest, digest_of({1, 2}));
  EXPECT_EQ(s.states, 4U);
  EXPECT_EQ(s.transitions, 7U);
  EXPECT_EQ(s.depth(), 2U);
  EXPECT_EQ(s.digest, digest_of({0, 1, 2, 3}));
  EXPECT_FALSE(s.unfinished);
  EXPECT_EQ(run.expansions(), 4U);
  EXPECT_FALSE(run.stop());
  EXPECT_TRUE(run.findings().empty());
}

TEST(Run, AddsUpWhatAllExpandersDid) {
  spillway::Run::Options options;
  options.threads = 3;
  spillway::Run run(kGraph, options);
  run.begin(4);
  for (const unsigned state : {0U, 1U, 2U, 3U}) run.expander(state % 3).expand(Row{state});
  run.end_level(0);
  EXPECT_EQ(run.statistics().states, 4U);
  EXPECT_EQ(run.statistics().transitions, 7U);
  EXPECT_EQ(run.statistics().digest, digest_of({0, 1, 2, 3}));
}

TEST(Run, ExpandAppendsToTheBatchAndReturnsWhatIsNew) {
  spillway::Run run(kGraph, {});
  run.begin(2);
  spillway::Run::Expander& expander = run.expander(0);
  EXPECT_EQ(expander.expand(Row{0}).size(), 3U);
  const States of_c = expander.expand(Row{2});
  ASSERT_EQ(of_c.size(), 2U);
  EXPECT_EQ(of_c[0][0], 3U);
  EXPECT_EQ(of_c[1][0], 0U);
  EXPECT_EQ(expander.batch().size(), 5U);
  expander.clear();
  EXPECT_EQ(expander.batch_size(), 0U);
}

TEST(Run, ALevelThatLostOrRepeatedStatesIsABug) {
  for (const std::uint64_t stored : {1, 3}) {
    spillway::Run run(kGraph, {});
    run.begin(stored);
    run.expander(0).expand(Row{0});
    run.expander(0).expand(Row{1});
    const auto error = caught([&] { run.end_level(0); });
    ASSERT_TRUE(error) << stored;
    EXPECT_EQ(error->fault(), Fault::internal);
  }
}

TEST(Run, WhatWasDoneInALevelThatWasNotFinishedIsApart) {
  spillway::Run run(kGraph, {});
  run.begin(1);
  run.expander(0).expand(Row{0});
  run.end_level(2);
  run.expander(0).expand(Row{1});
  run.close();
  ASSERT_TRUE(run.statistics().unfinished);
  EXPECT_EQ(run.statistics().unfinished->level, 1U);
  EXPECT_EQ(run.statistics().unfinished->states, 2U);
  EXPECT_EQ(run.statistics().unfinished->expanded, 1U);
  EXPECT_EQ(run.statistics().states, 1U) << "counts cover whole levels only";
  EXPECT_EQ(run.expansions(), 2U);
}

TEST(Run, ASearchThatCannotStoreEndsWithItsLevel) {
  spillway::Run run(kGraph, {});
  run.begin(1);
  EXPECT_FALSE(run.discarding());
  run.cannot_store(Stop::memory);
  run.cannot_store(Stop::disk);
  EXPECT_TRUE(run.discarding());
  run.expander(0).expand(Row{0});
  EXPECT_TRUE(finished([&] { run.end_level(0); })) << "also when nothing seems to be left";
  EXPECT_EQ(run.stop(), Stop::memory) << "the first reason";
  EXPECT_EQ(run.statistics().states, 1U);
}

TEST(Run, TellsItsObserverAboutEveryLevel) {
  std::vector<Progress> seen;
  spillway::Run::Options options;
  options.observer = [&](const Progress& progress) { seen.push_back(progress); };
  options.observe_seconds = 1000;
  spillway::Run run(kGraph, options);
  run.begin(1);
  run.expander(0).expand(Row{0});
  run.end_level(2);
  run.expander(0).expand(Row{1});
  run.expander(0).expand(Row{2});
  run.end_level(1);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen[1].level_done);
  EXPECT_EQ(seen[1].level, 1U);
  EXPECT_EQ(seen[1].level_states, 2U);
  EXPECT_EQ(seen[1].expanded, 2U);
  EXPECT_EQ(seen[1].next_states, 1U);
  EXPECT_EQ(seen[1].states, 3U);
  EXPECT_EQ(seen[1].transitions, 6U);
}

TEST(Run, TellsItsObserverInTheMidstOfALevel) {
  std::vector<Progress> seen;
  spillway::Run::Options options;
  options.observer = [&](const Progress& progress) { seen.push_back(progress); };
  options.observe_seconds = 0;
  spillway::Run run(kGraph, options);
  run.begin(10000);
  for (int i = 0; i < 9999; ++i) run.expander(0).expand(Row{0});
  ASSERT_GE(seen.size(), 2U);
  EXPECT_FALSE(seen.back().level_done);
  EXPECT_EQ(seen.back().level_states, 10000U);
  EXPECT_GT(seen.back().expanded, 5000U);
  EXPECT_LT(seen.back().expanded, 10000U);
  EXPECT_EQ(seen.back().states, 10000U);
}

}  // namespace
}  // namespace spillway
