// What is counted level by level, and when it says that there is nothing more to search.
#include "check/session/level_accounts.h"

#include <gtest/gtest.h>

#include "check/session/session.h"
#include "language/graph/graph_model.h"
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

TEST(LevelAccounts, CountsLevelByLevel) {
  Session session(kGraph, {});
  EXPECT_EQ(session.expanders.initial().size(), 1U);
  session.levels.begin(1);
  session.expanders[0].expand(Row{0});
  session.levels.end_level(2);
  session.expanders[0].expand(Row{1});
  session.expanders[0].expand(Row{2});
  session.levels.end_level(1);
  session.expanders[0].expand(Row{3});
  session.levels.end_level(0);
  session.levels.close();
  const Statistics& s = session.levels.counts();
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
  EXPECT_EQ(session.expansions(), 4U);
  EXPECT_FALSE(session.lookout.stop());
  EXPECT_TRUE(session.findings.all().empty());
}

TEST(LevelAccounts, AddsUpWhatAllExpandersDid) {
  SessionOptions options;
  options.threads = 3;
  Session session(kGraph, options);
  session.levels.begin(4);
  for (const unsigned state : {0U, 1U, 2U, 3U}) session.expanders[state % 3].expand(Row{state});
  session.levels.end_level(0);
  EXPECT_EQ(session.levels.counts().states, 4U);
  EXPECT_EQ(session.levels.counts().transitions, 7U);
  EXPECT_EQ(session.levels.counts().digest, digest_of({0, 1, 2, 3}));
}

TEST(LevelAccounts, ExpandAppendsToTheBatchAndReturnsWhatIsNew) {
  Session session(kGraph, {});
  session.levels.begin(2);
  Expander& expander = session.expanders[0];
  EXPECT_EQ(expander.expand(Row{0}).size(), 3U);
  const States of_c = expander.expand(Row{2});
  ASSERT_EQ(of_c.size(), 2U);
  EXPECT_EQ(of_c[0][0], 3U);
  EXPECT_EQ(of_c[1][0], 0U);
  EXPECT_EQ(expander.batch().size(), 5U);
  expander.clear();
  EXPECT_EQ(expander.batch_size(), 0U);
}

TEST(LevelAccounts, ALevelThatLostOrRepeatedStatesIsABug) {
  for (const std::uint64_t stored : {1, 3}) {
    Session session(kGraph, {});
    session.levels.begin(stored);
    session.expanders[0].expand(Row{0});
    session.expanders[0].expand(Row{1});
    const auto error = caught([&] { session.levels.end_level(0); });
    ASSERT_TRUE(error) << stored;
    EXPECT_EQ(error->fault(), Fault::internal);
  }
}

TEST(LevelAccounts, WhatWasDoneInALevelThatWasNotFinishedIsApart) {
  Session session(kGraph, {});
  session.levels.begin(1);
  session.expanders[0].expand(Row{0});
  session.levels.end_level(2);
  session.expanders[0].expand(Row{1});
  session.levels.close();
  ASSERT_TRUE(session.levels.counts().unfinished);
  EXPECT_EQ(session.levels.counts().unfinished->level, 1U);
  EXPECT_EQ(session.levels.counts().unfinished->states, 2U);
  EXPECT_EQ(session.levels.counts().unfinished->expanded, 1U);
  EXPECT_EQ(session.levels.counts().states, 1U) << "counts cover whole levels only";
  EXPECT_EQ(session.expansions(), 2U);
}

TEST(LevelAccounts, ASearchThatCannotStoreEndsWithItsLevel) {
  Session session(kGraph, {});
  session.levels.begin(1);
  EXPECT_FALSE(session.levels.discarding());
  session.levels.cannot_store(Stop::memory);
  session.levels.cannot_store(Stop::disk);
  EXPECT_TRUE(session.levels.discarding());
  session.expanders[0].expand(Row{0});
  EXPECT_TRUE(finished([&] { session.levels.end_level(0); }))
      << "also when nothing seems to be left";
  EXPECT_EQ(session.lookout.stop(), Stop::memory) << "the first reason";
  EXPECT_EQ(session.levels.counts().states, 1U);
}

TEST(LevelAccounts, TellsItsObserverAboutEveryLevel) {
  std::vector<Progress> seen;
  SessionOptions options;
  options.observer = [&](const Progress& progress) { seen.push_back(progress); };
  options.observe_seconds = 1000;
  Session session(kGraph, options);
  session.levels.begin(1);
  session.expanders[0].expand(Row{0});
  session.levels.end_level(2);
  session.expanders[0].expand(Row{1});
  session.expanders[0].expand(Row{2});
  session.levels.end_level(1);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_TRUE(seen[1].level_done);
  EXPECT_EQ(seen[1].level, 1U);
  EXPECT_EQ(seen[1].level_states, 2U);
  EXPECT_EQ(seen[1].expanded, 2U);
  EXPECT_EQ(seen[1].next_states, 1U);
  EXPECT_EQ(seen[1].states, 3U);
  EXPECT_EQ(seen[1].transitions, 6U);
}

TEST(LevelAccounts, TellsItsObserverInTheMidstOfALevel) {
  std::vector<Progress> seen;
  SessionOptions options;
  options.observer = [&](const Progress& progress) { seen.push_back(progress); };
  options.observe_seconds = 0;
  Session session(kGraph, options);
  session.levels.begin(10000);
  for (int i = 0; i < 9999; ++i) session.expanders[0].expand(Row{0});
  ASSERT_GE(seen.size(), 2U);
  EXPECT_FALSE(seen.back().level_done);
  EXPECT_EQ(seen.back().level_states, 10000U);
  EXPECT_GT(seen.back().expanded, 5000U);
  EXPECT_LT(seen.back().expanded, 10000U);
  EXPECT_EQ(seen.back().states, 10000U);
}

}  // namespace
}  // namespace spillway
