// The status of a run of several ranks is that of all of them together, and names each.
#include "report/status_of_ranks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace spillway {
namespace {

RankPartStatus part(unsigned rank, std::uint64_t states) {
  RankPartStatus part;
  part.rank = rank;
  part.status.model = "lock.graph";
  part.status.bytes = 1000;
  part.status.read = 100;
  Manifest& checkpoint = part.status.checkpoint.emplace();
  checkpoint.generation = 7;
  checkpoint.ranks = 3;
  checkpoint.levels.resize(2);
  checkpoint.levels[1].states = states;
  checkpoint.level_states = 5;
  LiveStatus& now = part.status.live.emplace();
  now.written = 98;
  now.states = 1000;
  now.own_states = states + 7;
  now.memory_bytes = 1 << 20;
  now.bytes_sent = 4096;
  return part;
}

TEST(StatusOfRanks, IsThatOfAllOfThem) {
  const RunStatus all = status_of_ranks("dir", {part(0, 93), part(1, 293)});
  EXPECT_EQ(all.directory, "dir");
  EXPECT_EQ(all.ranks, 3U) << "one is on another machine";
  EXPECT_EQ(all.bytes, 2000U);
  ASSERT_TRUE(all.checkpoint);
  EXPECT_EQ(all.checkpoint->states(), 386U);
  EXPECT_EQ(all.checkpoint->level_states, 10U);
  ASSERT_TRUE(all.live);
  EXPECT_EQ(all.live->states, 1000U) << "each of them knows those of all";
  EXPECT_EQ(all.live->memory_bytes, 2U << 20);
  const std::string text = status_text(all);
  EXPECT_NE(text.find("3 ranks, skew 1.50"), std::string::npos) << text;
  EXPECT_NE(text.find("1 of them has its part on another machine"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 1: 300 states, memory 1.0 MiB, sent 4.0 KiB"), std::string::npos)
      << text;
  EXPECT_NE(text.find("mpirun -n 3 spillway resume dir"), std::string::npos) << text;
}

TEST(StatusOfRanks, HasNoCheckpointThatARankLacks) {
  RankPartStatus without = part(1, 1);
  without.status.checkpoint.reset();
  EXPECT_FALSE(status_of_ranks("dir", {part(0, 1), without}).checkpoint);
}

TEST(StatusOfRanks, HasProductsThatAllOfThemHave) {
  RankPartStatus first = part(0, 1);
  RankPartStatus second = part(1, 1);
  first.status.products = {{0, *part(0, 20).status.checkpoint}, {1, *part(0, 3).status.checkpoint}};
  second.status.products = {{0, *part(1, 300).status.checkpoint}};
  const RunStatus all = status_of_ranks("dir", {first, second});
  ASSERT_EQ(all.products.size(), 1U);
  EXPECT_EQ(all.products[0].number, 0U);
  EXPECT_EQ(all.products[0].checkpoint.states(), 320U);
}

TEST(StatusOfRanks, NamesWhoIsGoneAndWhoIsSilent) {
  RankPartStatus alive = part(0, 1);
  alive.status.user = "process 1";
  RankPartStatus silent = part(1, 1);
  silent.status.user = "process 2";
  silent.status.live->written = 20;
  const std::string text = status_text(status_of_ranks("dir", {alive, silent, part(2, 1)}));
  EXPECT_NE(text.find("running (process 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("on disk, last seen 1 min 20 s ago\n"), std::string::npos) << text;
  EXPECT_NE(text.find("on disk, no process works on it here\n"), std::string::npos) << text;
}

TEST(StatusOfRanks, FaultsNameTheRank) {
  RankPartStatus damaged = part(1, 1);
  damaged.status.faults.push_back("the file is missing");
  const RunStatus all = status_of_ranks("dir", {part(0, 1), damaged});
  EXPECT_EQ(all.faults, std::vector<std::string>{"rank 1: the file is missing"});
}

TEST(StatusOfRanks, AsJson) {
  const auto json =
      nlohmann::json::parse(status_json(status_of_ranks("dir", {part(0, 93), part(2, 293)})));
  EXPECT_EQ(json["ranks"]["count"], 3);
  EXPECT_EQ(json["ranks"]["skew"], 1.5);
  EXPECT_EQ(json["ranks"]["each"][1]["rank"], 2);
  EXPECT_EQ(json["ranks"]["each"][1]["states"], 300);
  EXPECT_EQ(json["ranks"]["each"][1]["age_seconds"], 2);
  EXPECT_EQ(json["ranks"]["each"][1]["checkpoint"]["states"], 293);
  RunStatus alone;
  EXPECT_TRUE(nlohmann::json::parse(status_json(alone))["ranks"].is_null());
}

}  // namespace
}  // namespace spillway
