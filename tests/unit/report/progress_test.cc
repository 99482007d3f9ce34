#include "report/progress.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>

namespace spillway {
namespace {

// Without the memory at its end, which changes.
std::string text_of(const Progress& progress) {
  const std::string text = progress_text(progress);
  const std::size_t memory = text.find("  memory ");
  EXPECT_NE(memory, std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  return text.substr(0, memory);
}

TEST(ProgressText, InTheMidstOfALevel) {
  Progress p;
  p.level = 31;
  p.level_states = 2000000;
  p.expanded = 1270000;
  p.states = 6450000;
  p.seconds = 2467;
  EXPECT_EQ(text_of(p), "[00:41:07] level 31  63%  6,450,000 states  2,318 states/s");
}

TEST(ProgressText, AtTheEndOfALevel) {
  Progress p;
  p.level_done = true;
  p.level = 1000;
  p.level_states = p.expanded = 200;
  p.next_states = 250;
  p.states = 1200;
  p.seconds = 10;
  EXPECT_EQ(text_of(p),
            "[00:00:10] level 1,000  1,200 states  next level 250 (x1.25)  120 states/s");
}

TEST(ProgressText, AtTheEndOfTheLastLevel) {
  Progress p;
  p.level_done = true;
  p.level_states = p.expanded = p.states = 5;
  p.seconds = 1;
  EXPECT_EQ(text_of(p), "[00:00:01] level 0  5 states  5 states/s");
}

TEST(ProgressText, AtTheVeryBeginning) { EXPECT_EQ(text_of({}), "[00:00:00] level 0  0 states"); }

TEST(ProgressText, OfAVeryLongSearch) {
  Progress p;
  p.level = 1000000;
  p.level_states = std::uint64_t{1} << 53;
  p.expanded = p.level_states - 1;
  p.states = std::uint64_t{1} << 63;
  p.seconds = 400 * 3600 + 62;
  EXPECT_TRUE(
      text_of(p).starts_with("[400:01:02] level 1,000,000  99%  9,223,372,036,854,775,808 states"))
      << text_of(p);
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
    line.show(p);
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
  EXPECT_EQ(line.every_seconds(), 60);
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
