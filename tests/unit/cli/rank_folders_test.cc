// The parts of a run of several ranks: what other processes see while one of them works.
#include "cli/session/rank_folders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/texts/system_file_system.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

// Parts without a checkpoint.
void make_parts(FileSystem& files, const std::string& folder, const std::string& model) {
  const Identity run = Identity::drawn();
  for (const unsigned rank : {0U, 1U}) {
    RunConfig config;
    config.version = "0.1.0";
    config.begun = "2026-11-19 10:00:00 UTC";
    config.machine = "2 processors";
    config.model = "model.m";
    config.part = RunPart{run, rank, 2};
    RunDirectory::create(files, fmt::format("{}/rank-{}", folder, rank), config, model);
  }
}

// The maker looks around for what earlier processes have left.
TEST(RankFolders, NewPartsAreLockedUntilTheirMakerIsDone) {
  const TemporaryFolder folder;
  SystemFileSystem files;
  const std::string run = folder.path() + "/run";
  ASSERT_EQ(files.make(run), 0);
  make_parts(files, run, folder.write("model.m", "a model"));
  folder.write("run/rank-1/notes.txt", "what belongs to somebody else is kept, and told");
  RankFolders folders(files, run);
  unsigned told = 0;
  folders.share_out(1, std::uint64_t{64} << 20, [&](const std::string&) {
    ++told;
    const auto error = caught([&] { RunDirectory::open(files, run + "/of-1-1/rank-0"); });
    EXPECT_TRUE(error && std::string_view(error->what()).find("locked by") != std::string::npos);
  });
  EXPECT_GT(told, 0U);
}

struct Ended {};

// Ends as a process does that is killed behind the removal of some directories.
class UntilTheEnd final : public FileSystem {
 public:
  explicit UntilTheEnd(unsigned left) : left_(left) {}
  std::unique_ptr<Directory> open(const std::string& path, Owner owner) override {
    return files_.open(path, owner);
  }
  bool is_directory(const std::string& path) override { return files_.is_directory(path); }
  int make(const std::string& path) override { return files_.make(path); }
  int remove(const std::string& path) override {
    const int number = files_.remove(path);
    if (left_-- == 0) throw Ended();
    return number;
  }

 private:
  SystemFileSystem files_;
  unsigned left_;
};

TEST(RankFolders, AListOfPartsNamesOneOfTheirFolders) {
  const TemporaryFolder folder;
  SystemFileSystem files;
  const std::string run = folder.path() + "/run";
  for (const std::string& name : {run, run + "/aside", run + "/of-3-1"})
    ASSERT_EQ(files.make(name), 0);
  for (const char* text : {"../run\n", "aside\n", "of-9-1\n", "of-x\n", "/\n", "of-3-1/..\n"}) {
    folder.write("run/parts", text);
    const auto error = caught([&] { RankFolders(files, run); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->fault(), Fault::integrity) << text;
  }
  folder.write("run/parts", "of-3-1\n");
  EXPECT_FALSE(caught([&] { RankFolders(files, run); }));
}

TEST(RankFolders, OnesThatAreBeingRemovedAreFewerOrNone) {
  constexpr unsigned kDirectories = 4;
  for (unsigned left = 0; left < kDirectories; ++left) {
    const TemporaryFolder folder;
    UntilTheEnd files(left);
    const std::string run = folder.path() + "/run";
    ASSERT_EQ(files.make(run), 0);
    ASSERT_EQ(files.make(run + "/of-2-1"), 0);
    make_parts(files, run + "/of-2-1", folder.write("model.m", "a model"));
    folder.write("run/parts", "of-2-1\n");
    EXPECT_THROW(RankFolders(files, run).remove([](const std::string&) {}), Ended);
    EXPECT_FALSE(caught([&] { RankFolders(files, run); })) << left;
  }
}

}  // namespace
}  // namespace spillway
