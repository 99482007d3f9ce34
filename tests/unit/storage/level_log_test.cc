#include "storage/levels/level_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/faulty_disk.h"
#include "support/memory_disk.h"
#include "unit/caught.h"

namespace spillway {
namespace {

constexpr BlockShape kShape{1, 4, 2, true};

struct Log {
  MemoryDisk disk;
  Budget budget{1 << 20};
  LevelLog::Form form = LevelLog::form_for(7, kShape, 1 << 20);
  std::vector<LevelLog::LogFile> parts;

  LevelLog open(std::uint64_t next_file) { return LevelLog(disk, budget, form, next_file, parts); }
};

using Levels = std::vector<std::vector<Word>>;

void add_to(Levels& levels, std::uint64_t level, Bytes block) {
  BlockUnpacker<1> unpacker(kShape);
  std::vector<Word> rows(kShape.rows);
  unpacker.open(block);
  unpacker.unpack(rows.data());
  if (levels.size() <= level) levels.resize(level + 1);
  levels[level].insert(levels[level].end(), rows.begin(),
                       rows.begin() + static_cast<std::ptrdiff_t>(unpacker.rows()));
}

Levels all_of(LevelLog& log) {
  Levels levels;
  log.read([&](std::uint64_t level, Bytes block) { add_to(levels, level, block); });
  return levels;
}

void keep(LevelLog& log, const std::vector<Word>& rows) {
  log.keep_rows({rows.data(), rows.size(), 1});
}

TEST(LevelLog, GivesBackWhatWasKept) {
  Log l;
  {
    LevelLog log = l.open(1);
    log.begin_level();
    keep(log, {9, 1, 5, 3, 7});  // more than a block
    log.begin_level();
    BlockPacker<1> packer(kShape);
    const Word rows[] = {2, 4};
    log.keep(packer.pack(rows, 2));
    l.parts = log.seal(2);
  }
  LevelLog log = l.open(2);
  EXPECT_EQ(all_of(log), (Levels{{9, 1, 5, 3, 7}, {2, 4}}));
  log.begin_level();
  keep(log, {6});
  l.parts = log.seal(3);
  EXPECT_EQ(l.parts.size(), 2);
  Levels second;
  log.each(1, [&](Bytes block) { add_to(second, 1, block); });
  EXPECT_EQ(second, (Levels{{}, {2, 4}}));
}

// As if they were one array, however they lie in blocks.
TEST(LevelLog, DealsOutTheRowsOfALevel) {
  Log l;
  LevelLog log = l.open(1);
  log.begin_level();
  keep(log, {7});
  log.begin_level();
  std::vector<Word> rows(30000);  // several batches
  std::iota(rows.begin(), rows.end(), Word{0});
  keep(log, rows);
  std::vector<Word> read;
  log.each_batch(1, kShape, [&](States batch) {
    for (const State row : batch) read.push_back(row[0]);
  });
  EXPECT_EQ(read, rows);
  Crew crew(3);
  std::vector<std::vector<Word>> dealt(crew.size());
  log.each_row(1, kShape, crew,
               [&](unsigned thread, State row) { dealt[thread].push_back(row[0]); });
  std::vector<Word> together;
  for (const std::vector<Word>& some : dealt) {
    EXPECT_GE(some.size(), rows.size() / 4);
    together.insert(together.end(), some.begin(), some.end());
  }
  std::ranges::sort(together);
  EXPECT_EQ(together, rows);
}

// Searches that look for cycles on the way read levels between two checkpoints.
TEST(LevelLog, WhatIsReadInBetweenIsSealed) {
  Log l;
  {
    LevelLog log = l.open(1);
    for (Word level = 0; level < 5; ++level) {
      log.begin_level();
      keep(log, {level, level + 10});
      Levels read;
      log.each(level, [&](Bytes block) { add_to(read, level, block); });
      EXPECT_EQ(read.back(), (std::vector<Word>{level, level + 10}));
      if (level == 2) l.parts = log.seal(3);
    }
    EXPECT_EQ(l.parts.size(), 3);
    l.parts = log.seal(5);
  }
  EXPECT_EQ(l.parts.size(), 5);
  LevelLog log = l.open(6);
  EXPECT_EQ(all_of(log), (Levels{{0, 10}, {1, 11}, {2, 12}, {3, 13}, {4, 14}}));
}

TEST(LevelLog, ALevelThatWasNotFinishedDoesNotCount) {
  Log l;
  {
    LevelLog log = l.open(1);
    log.begin_level();
    keep(log, {1, 2});
    log.begin_level();
    keep(log, {3});
    l.parts = log.seal(1);
  }
  LevelLog log = l.open(2);
  EXPECT_EQ(all_of(log), (Levels{{1, 2}}));
  log.begin_level();
  keep(log, {4, 5});
  l.parts = log.seal(2);
  Levels again;
  log.each(1, [&](Bytes block) { add_to(again, 1, block); });
  EXPECT_EQ(again, (Levels{{}, {4, 5}}));
  LevelLog third = l.open(3);
  EXPECT_EQ(all_of(third), (Levels{{1, 2}, {4, 5}}));
}

TEST(LevelLog, AFileThatIsShorterOrMissingIsRefused) {
  Log l;
  {
    LevelLog log = l.open(1);
    log.begin_level();
    for (Word row = 0; row < 5000; ++row) keep(log, {row});
    l.parts = log.seal(1);
  }
  ASSERT_GT(l.parts[0].blocks, 1);
  l.disk.bytes("levels-1").resize(l.disk.bytes("levels-1").size() - l.form.block_bytes);
  EXPECT_EQ(caught([&] { l.open(2); }).value().fault(), Fault::integrity);
  l.disk.remove("levels-1");
  EXPECT_TRUE(caught([&] { l.open(2); }).has_value());
}

TEST(LevelLog, ABlockThatTheDiskDoesNotGiveIsADamagedOne) {
  Log l;
  {
    LevelLog log = l.open(1);
    log.begin_level();
    keep(log, {1, 2, 3});
    l.parts = log.seal(1);
  }
  for (std::uint64_t at = 0;; ++at) {
    FaultyDisk faulty(l.disk);
    LevelLog log(faulty, l.budget, l.form, 2, l.parts);
    faulty.set({Trouble::io_error, faulty.operations() + at, true, 0});
    const auto error = caught([&] { all_of(log); });
    if (!faulty.struck()) break;
    ASSERT_TRUE(error);
    EXPECT_EQ(error->fault(), Fault::integrity) << error->what();
  }
}

TEST(LevelLog, AFileOfTheSameNameIsNotTakenForAnother) {
  Log l;
  std::vector<LevelLog::LogFile> parts[2];
  std::vector<std::byte> bytes;
  for (std::vector<LevelLog::LogFile>& some : parts) {  // as a run and its copy do
    if (!bytes.empty()) l.disk.remove(LevelLog::name_of(1));
    LevelLog log(l.disk, l.budget, l.form, 1);
    log.begin_level();
    keep(log, {1, 2, 3});
    some = log.seal(1);
    bytes = l.disk.bytes(LevelLog::name_of(1));
  }
  LevelLog whole(l.disk, l.budget, l.form, 2, parts[1]);
  EXPECT_EQ(all_of(whole).size(), 1U);
  LevelLog other(l.disk, l.budget, l.form, 2, parts[0]);
  EXPECT_EQ(caught([&] { all_of(other); })->fault(), Fault::integrity);
}

}  // namespace
}  // namespace spillway
