#include "check/durable/file_names.h"

#include <gtest/gtest.h>

namespace spillway {
namespace {

using Kind = RunFile::Kind;

TEST(FileNames, AreReadAsTheyAreWritten) {
  for (const Kind kind : {Kind::log, Kind::manifest, Kind::unfinished_manifest, Kind::extra})
    for (const std::uint64_t number : {0UL, 1UL, 12UL, 1UL << 62})
      for (const std::optional<std::size_t> product : {std::optional<std::size_t>(), {0}, {17}}) {
        const RunFile file{kind, number, product};
        EXPECT_EQ(run_file(name_of(file)), file) << name_of(file);
        EXPECT_TRUE(is_of_journal(name_of(file))) << name_of(file);
      }
  EXPECT_EQ(name_of({Kind::manifest, 12}), "manifest-00000000000000000012");
  EXPECT_EQ(name_of({Kind::log, 3, 1}), "product-1-levels-3");
  EXPECT_EQ(run_file("checkpoints.tmp"), (RunFile{Kind::unfinished_newest}));
}

TEST(FileNames, WhichCheckpointIsTheNewestIsOfAJournalOnlyForProducts) {
  EXPECT_FALSE(is_of_journal("checkpoints"));
  EXPECT_FALSE(is_of_journal("checkpoints.tmp"));
  EXPECT_TRUE(is_of_journal("product-2-checkpoints"));
  EXPECT_TRUE(is_of_journal("product-2-checkpoints.tmp"));
}

TEST(FileNames, OthersAreNone) {
  for (const char* name : {"",
                           "levels",
                           "levels-",
                           "levels-x",
                           "levels-01",
                           "levels-1.tmp",
                           "levels-1x",
                           "levels-+1",
                           "levels--1",
                           "levels-99999999999999999999",
                           "manifest-1",
                           "manifest-00000000000000000001.tm",
                           "manifest-000000000000000000001",
                           "extra-",
                           "extra-01",
                           "checkpoints-1",
                           "product-1",
                           "product-1-",
                           "product--levels-1",
                           "product-01-levels-1",
                           "product-1-product-1-levels-1",
                           "product-1-result",
                           "Levels-1",
                           " levels-1"})
    EXPECT_FALSE(run_file(name)) << name;
}

TEST(FileNames, FoldersOfRanks) {
  EXPECT_EQ(rank_of_folder(rank_folder(12)), 12U);
  for (const char* name : {"rank-", "rank-x", "rank-1x", "rank-99999999999", "ranks-1", ""})
    EXPECT_FALSE(rank_of_folder(name)) << name;
  EXPECT_TRUE(is_share_out_folder("of-3-1"));
  EXPECT_FALSE(is_share_out_folder("of-"));
  EXPECT_FALSE(is_share_out_folder("of-3-x"));
}

}  // namespace
}  // namespace spillway
