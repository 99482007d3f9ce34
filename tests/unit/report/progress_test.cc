#include "report/progress/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "report/progress/progress_line.h"

namespace spillway {
namespace {

ProgressFigures with(const Progress& progress) {
  ProgressFigures figures;
  figures.progress = progress;
  return figures;
}

// In the midst of a level of a search that has everything.
ProgressFigures busy() {
  ProgressFigures figures;
  Progress& p = figures.progress;
  p.level = 31;
  p.level_states = 2000000;
  p.expanded = 1270000;
  p.states = 6450000;
  p.seconds = 2467;
  figures.recent_rate = 2318.7;
  figures.memory_bytes = std::uint64_t{812} << 20;
  figures.memory_limit_bytes = std::uint64_t{1} << 30;
  figures.disk = DiskFigures{std::uint64_t{3} << 30, kUnlimited, std::uint64_t{40} << 30};
  return figures;
}

TEST(ProgressText, InTheMidstOfALevel) {
  EXPECT_EQ(progress_text(busy()),
            "[00:41:07] level 31 63%  6,450,000 states  2,318 states/s  memory 812 MiB of 1.0 GiB  "
            "disk 3.0 GiB, 40 GiB free  level done in about 5 min 15 s");
}

TEST(ProgressText, HasTheForecast) {
  ProgressFigures figures = busy();
  figures.forecast = Forecast{{8'123'456, 30'100'000}, {{1500, 500'000}}, {}};
  EXPECT_NE(progress_text(figures).find("40 GiB free  forecast 8,100,000 to 31,000,000 states in "
                                        "all, 25 min to 6 days to go  level done"),
            std::string::npos)
      << progress_text(figures);
  figures.forecast->disk_bytes = {std::uint64_t{4} << 30, std::uint64_t{9} << 30};
  figures.forecast->seconds = {{0.2, 7200}};
  EXPECT_EQ(forecast_text(*figures.forecast),
            "8,100,000 to 31,000,000 states in all, 1 s to 2 h to go, 4.0 GiB to 9.0 GiB on disk");
}

TEST(ProgressText, NoForecastBeyondALimit) {
  LevelSizes sizes;
  for (std::uint64_t level = 0; level < 30; ++level) sizes.set(level, 1000);
  ProgressFigures figures = busy();
  figures.disk.reset();
  const auto said = forecast(sizes, figures);
  ASSERT_TRUE(said);
  EXPECT_TRUE(said->seconds);
  EXPECT_FALSE(said->disk_bytes);
  figures.limits.max_states = said->states.high - 1;
  EXPECT_FALSE(forecast(sizes, figures));
  figures.limits.max_states = said->states.high;
  EXPECT_TRUE(forecast(sizes, figures));
  figures.limits.max_depth = 100;
  EXPECT_FALSE(forecast(sizes, figures));
}

TEST(ProgressText, HasTheLimitBesideEachFigure) {
  ProgressFigures figures = busy();
  figures.limits = {40, 10000000, 3600};
  figures.disk->limit_bytes = std::uint64_t{8} << 30;
  EXPECT_EQ(progress_text(figures),
            "[00:41:07 of 01:00:00] level 31 of 40 63%  6,450,000 of 10,000,000 states  2,318 "
            "states/s  memory 812 MiB of 1.0 GiB  disk 3.0 GiB of 8.0 GiB, 40 GiB free  level "
            "done in about 5 min 15 s");
}

TEST(ProgressText, SaysThePhase) {
  ProgressFigures figures = busy();
  figures.progress.phase = Phase::merging;
  EXPECT_TRUE(progress_text(figures).starts_with("[00:41:07] level 31, merging sorted runs  6,450"))
      << progress_text(figures);
  EXPECT_EQ(progress_text(figures).find("level done"), std::string::npos);
}

TEST(ProgressText, FitsAnyWidth) {
  for (std::size_t width = 0; width < 200; ++width)
    EXPECT_LE(progress_text(busy(), width).size(), width);
  EXPECT_EQ(progress_text(busy(), 79),
            "[00:41:07] level 31 63%  6,450,000 states  2,318/s  mem 812M of 1.0G");
  EXPECT_EQ(progress_text(busy(), 60), "[00:41:07] level 31 63%  6,450,000 states  2,318/s");
  EXPECT_EQ(progress_text(busy(), 119),
            "[00:41:07] level 31 63%  6,450,000 states  2,318/s  mem 812M of 1.0G  disk 3.0G, 40G "
            "free");
}

TEST(ProgressText, AtTheEndOfALevel) {
  Progress p;
  p.level_done = true;
  p.level = 1000;
  p.level_states = p.expanded = 200;
  p.next_states = 250;
  p.states = 1200;
  p.seconds = 10;
  EXPECT_EQ(progress_text(with(p)), "[00:00:10] level 1,000  1,200 states  next level 250 (x1.25)");
}

TEST(ProgressText, AtTheEndOfTheLastLevel) {
  Progress p;
  p.level_done = true;
  p.level_states = p.expanded = p.states = 5;
  p.seconds = 1;
  EXPECT_EQ(progress_text(with(p)), "[00:00:01] level 0  5 states");
}

TEST(ProgressText, AtTheVeryBeginning) {
  EXPECT_EQ(progress_text({}), "[00:00:00] level 0  0 states");
}

TEST(ProgressText, OfAVeryLongSearch) {
  Progress p;
  p.level = 1000000;
  p.level_states = std::uint64_t{1} << 53;
  p.expanded = p.level_states - 1;
  p.states = std::uint64_t{1} << 63;
  p.seconds = 400 * 3600 + 62;
  EXPECT_TRUE(progress_text(with(p)).starts_with(
      "[400:01:02] level 1,000,000 99%  9,223,372,036,854,775,808 states"))
      << progress_text(with(p));
}

TEST(RecentRate, IsThatOfTheLastSeconds) {
  RecentRate rate;
  EXPECT_FALSE(rate.per_second());
  rate.add(0, 0);
  EXPECT_FALSE(rate.per_second());
  for (int i = 1; i <= 100; ++i) rate.add(i, static_cast<std::uint64_t>(i) * 50);
  EXPECT_DOUBLE_EQ(*rate.per_second(), 50);
  for (int i = 101; i <= 105; ++i) rate.add(i, 5000);
  EXPECT_DOUBLE_EQ(*rate.per_second(), 25) << "half of the window was a stall";
  for (int i = 106; i <= 120; ++i) rate.add(i, 5000);
  EXPECT_DOUBLE_EQ(*rate.per_second(), 0) << "a stall shows";
}

TEST(ExpandedStates, AreThoseOfThisProcess) {
  Progress p;
  p.states = 100;
  p.level_states = 40;
  p.expanded = 15;
  EXPECT_EQ(expanded_states(p), 75U);
  p.earlier_states = 60;
  EXPECT_EQ(expanded_states(p), 15U);
  p.expanded = 90;  // counted a moment later than the rest
  EXPECT_EQ(expanded_states(p), 40U);
}

TEST(NowText, ComesBackAsItWas) {
  const Identity run = Identity::drawn();
  ProgressFigures figures = busy();
  figures.progress.phase = Phase::sieving;
  const LiveStatus now = live_status_of(figures, 1700000000);
  const std::optional<LiveStatus> read = parse_live_status(to_text(now, run), run);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, now);
  EXPECT_EQ(
      progress_text(figures_of(*read)),
      "[00:41:07] level 31, removing duplicates  6,450,000 states  2,318 states/s  memory 812 "
      "MiB of 1.0 GiB  disk 3.0 GiB");
}

ProgressFigures of_ranks() {
  ProgressFigures figures = busy();
  RankFigures rank;
  rank.states = 100;
  rank.memory_bytes = rank.memory_limit_bytes = std::uint64_t{1} << 30;
  rank.disk_bytes = std::uint64_t{2} << 30;
  rank.bytes_sent = 1 << 20;
  rank.bytes_received = 5 << 20;
  figures.ranks = {rank, rank};
  figures.ranks[1].states = 300;
  figures.ranks[1].waited_milliseconds = 7000;
  figures.rank = 1;
  return figures;
}

TEST(ProgressText, CoversAllRanks) {
  const std::string text = progress_text(of_ranks());
  EXPECT_NE(text.find("memory 2.0 GiB of 2.0 GiB  disk 4.0 GiB  "
                      "2 ranks, skew 1.50, sent 2.0 MiB, waited 7.00 s at most"),
            std::string::npos)
      << text;
}

TEST(NowText, OfARankHasItsOwnFigures) {
  const Identity run = Identity::drawn();
  const std::optional<LiveStatus> now =
      parse_live_status(to_text(live_status_of(of_ranks(), 1), run), run);
  ASSERT_TRUE(now);
  EXPECT_EQ(now->own_states, 300U);
  EXPECT_EQ(now->bytes_sent, 1U << 20);
  EXPECT_EQ(now->bytes_received, 5U << 20);
  EXPECT_EQ(now->waited_milliseconds, 7000U);
}

TEST(NowText, OfAnythingElseIsNothing) {
  const Identity run = Identity::drawn();
  const std::string text = to_text(live_status_of(busy(), 1), run);
  EXPECT_FALSE(parse_live_status(text, Identity::drawn()));
  EXPECT_FALSE(parse_live_status("", run));
  EXPECT_FALSE(parse_live_status(text + "\n", run));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string wrong = text;
    wrong[i] = static_cast<char>(wrong[i] ^ 1);
    EXPECT_FALSE(parse_live_status(wrong, run)) << i;
    EXPECT_FALSE(parse_live_status(text.substr(0, i), run)) << i;
  }
}

// A stream that is no terminal.
class ProgressInAFile : public testing::Test {
 protected:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::tmpfile(), std::fclose};
  ProgressLine line{file.get()};

  void show(double seconds, bool level_done) {
    Progress p;
    p.seconds = seconds;
    p.level_done = level_done;
    line.show(with(p));
  }
  std::string written() {
    std::string text(static_cast<std::size_t>(std::ftell(file.get())), '\0');
    std::rewind(file.get());
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file.get()), text.size());
    return text;
  }
  long lines() {
    const std::string text = written();
    return std::count(text.begin(), text.end(), '\n');
  }
};

TEST_F(ProgressInAFile, AShortRunSaysNothing) {
  for (const double seconds : {0.1, 1.0, 4.9}) show(seconds, true);
  line.clear();
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressInAFile, LevelsAreSaidEveryFiveSeconds) {
  for (int i = 0; i < 1000; ++i) show(i * 0.1, true);
  EXPECT_GE(lines(), 15);
  EXPECT_LE(lines(), 20);
}

TEST_F(ProgressInAFile, TheMidstOfALevelIsSaidEveryMinute) {
  for (int i = 0; i < 300; ++i) show(i, false);
  EXPECT_EQ(lines(), 4);
}

TEST_F(ProgressInAFile, LinesHaveNoEscapeSequences) {
  show(100, true);
  line.clear();
  const std::string text = written();
  EXPECT_TRUE(text.ends_with("\n"));
  EXPECT_EQ(text.find_first_of("\r\x1b"), std::string::npos);
}

}  // namespace
}  // namespace spillway
