// File systems that must behave alike: that of the machine, and the one in memory.
#include "io/texts/file_system.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "io/texts/system_file_system.h"
#include "support/memory_file_system.h"
#include "unit/caught.h"
#include "unit/temporary_folder.h"

namespace spillway {
namespace {

using Names = std::vector<std::string>;
using Sharing = TextFile::Sharing;

// Of a file system that has no locks.
class FileWithoutLocks final : public TextFile {
 public:
  explicit FileWithoutLocks(int number) : TextFile("LOCK"), number_(number) {}

 protected:
  std::int64_t try_read(std::uint64_t, std::span<char>) override { return 0; }
  std::int64_t try_write(std::uint64_t, std::string_view) override { return 0; }
  int try_sync() override { return 0; }
  int try_clear() override { return 0; }
  int try_status(Status&) override { return 0; }
  int try_lock(Sharing) override { return number_; }

 private:
  const int number_;
};

// Only one number means that another process has the lock.
TEST(TextFileLock, ThatFailsIsNotTakenForOneThatIsHeld) {
  EXPECT_FALSE(FileWithoutLocks(EWOULDBLOCK).lock(TextFile::Sharing::exclusive));
  for (const int number : {ENOLCK, EIO, EOPNOTSUPP}) {
    const auto error = caught([&] { FileWithoutLocks(number).lock(TextFile::Sharing::shared); });
    ASSERT_TRUE(error) << number;
    EXPECT_EQ(error->fault(), Fault::system);
    EXPECT_TRUE(std::string(error->what()).starts_with("LOCK: cannot lock: ")) << error->what();
  }
}

class FileSystems : public testing::TestWithParam<bool> {
 protected:
  FileSystems() {
    if (GetParam()) {
      files_ = std::make_unique<SystemFileSystem>();
      root_ = folder_.path();
    } else {
      files_ = std::make_unique<MemoryFileSystem>(faults_);
      root_ = "";
    }
    EXPECT_EQ(files_->make(at("a")), 0);
    directory_ = files_->open(at("a"));
  }
  std::string at(const std::string& name) const { return root_ + "/" + name; }

  Faults faults_;
  TemporaryFolder folder_;
  std::unique_ptr<FileSystem> files_;
  std::string root_;
  std::unique_ptr<Directory> directory_;
};

TEST_P(FileSystems, DirectoriesComeAndGo) {
  EXPECT_EQ(files_->make(at("a")), EEXIST);
  EXPECT_EQ(files_->make(at("no/b")), ENOENT);
  EXPECT_TRUE(files_->is_directory(at("a")));
  EXPECT_FALSE(files_->is_directory(at("b")));
  EXPECT_EQ(caught([&] { files_->open(at("b")); })->fault(), Fault::usage);
  directory_->write("x", "1");
  EXPECT_EQ(files_->remove(at("a")), ENOTEMPTY);
  EXPECT_TRUE(directory_->remove("x"));
  EXPECT_EQ(files_->remove(at("a")), 0);
  EXPECT_EQ(files_->remove(at("a")), ENOENT);
  EXPECT_FALSE(files_->is_directory(at("a")));
  files_->sync_above(at("a"));
  files_->sync_above(at("a/"));
}

TEST_P(FileSystems, ATextComesBackUntilItIsReplaced) {
  EXPECT_EQ(directory_->read("x", 100), std::nullopt);
  directory_->write("x", "a text");
  EXPECT_EQ(directory_->read("x", 100), "a text");
  directory_->write("x", "");
  EXPECT_EQ(directory_->read("x", 100), "");
  directory_->write("y", std::string(70000, 'y'));
  EXPECT_EQ(directory_->read("y", 70000), std::string(70000, 'y'));
  EXPECT_EQ(caught([&] { directory_->read("y", 69999); })->fault(), Fault::integrity);
  EXPECT_EQ(directory_->names(), (Names{"x", "y"}));
  EXPECT_EQ(directory_->bytes(), 70000U);
}

TEST_P(FileSystems, FilesChangeInPlace) {
  EXPECT_EQ(directory_->open_to_change("x"), nullptr);
  directory_->open_or_make("x")->write(2, "cd");
  directory_->open_or_make("x")->write(0, "ab");
  EXPECT_EQ(directory_->read("x", 100), "abcd");
  directory_->open_to_change("x")->clear();
  EXPECT_EQ(directory_->read("x", 100), "");
}

TEST_P(FileSystems, NamesChangeAndGo) {
  directory_->rename("x", "y");
  EXPECT_EQ(directory_->names(), Names{});
  directory_->write("x", "1");
  directory_->write("y", "2");
  directory_->rename("x", "y");
  EXPECT_EQ(directory_->read("y", 100), "1");
  EXPECT_EQ(directory_->names(), Names{"y"});
  EXPECT_TRUE(directory_->remove("y"));
  EXPECT_TRUE(directory_->remove("y"));
  EXPECT_EQ(directory_->names(), Names{});
  directory_->sync();
}

TEST_P(FileSystems, ALockExcludesOthersUntilItIsGone) {
  const auto lock = [&](Sharing sharing) {
    auto file = directory_->open_or_make("LOCK");
    return file->lock(sharing) ? std::move(file) : nullptr;
  };
  auto alone = lock(Sharing::exclusive);
  ASSERT_NE(alone, nullptr);
  EXPECT_EQ(lock(Sharing::exclusive), nullptr);
  EXPECT_EQ(lock(Sharing::shared), nullptr);
  alone.reset();
  auto one = lock(Sharing::shared);
  auto two = lock(Sharing::shared);
  EXPECT_NE(two, nullptr);
  one.reset();
  EXPECT_EQ(lock(Sharing::exclusive), nullptr);
  two.reset();
  EXPECT_NE(lock(Sharing::exclusive), nullptr);
}

TEST_P(FileSystems, AnotherDirectoryHasAnotherBirthmark) {
  ASSERT_EQ(files_->make(at("b")), 0);
  EXPECT_EQ(directory_->birthmark(), files_->open(at("a"))->birthmark());
  EXPECT_NE(directory_->birthmark(), files_->open(at("b"))->birthmark());
}

INSTANTIATE_TEST_SUITE_P(All, FileSystems, testing::Bool(), [](const auto& kind) {
  return std::string(kind.param ? "System" : "Memory");
});

// Of files that somebody else may have put there.
class SystemFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }
  std::string refusal(const std::string& name) {
    const auto error = caught([&] { directory_->read(name, 100); });
    return error && error->fault() == Fault::integrity ? error->what() : "";
  }

  TemporaryFolder folder_;
  SystemFileSystem files_;
  std::unique_ptr<Directory> directory_ = files_.open(folder_.path());
};

TEST_F(SystemFiles, LinksAndPipesAreRefused) {
  folder_.write("victim", "mine");
  ASSERT_EQ(symlink(path("victim").c_str(), path("link").c_str()), 0);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(mkdir(path("folder").c_str(), 0700), 0);
  EXPECT_NE(refusal("link").find("symbolic link"), std::string::npos);
  EXPECT_NE(refusal("pipe").find("not a regular file"), std::string::npos);
  EXPECT_NE(refusal("folder").find("not a regular file"), std::string::npos);
  for (const char* name : {"link", "pipe", "folder"}) {
    EXPECT_TRUE(caught([&] { directory_->open_or_make(name); })) << name;
    EXPECT_FALSE(directory_->remove(name)) << name;
  }
  EXPECT_EQ(directory_->bytes(), 4U);
  EXPECT_TRUE(files_.is_directory(path("folder")));
  ASSERT_EQ(symlink(path("folder").c_str(), path("folder_link").c_str()), 0);
  EXPECT_FALSE(files_.is_directory(path("folder_link")));
}

TEST_F(SystemFiles, WhatHasAnotherNameIsNotChangedInPlace) {
  folder_.write("victim", "mine");
  ASSERT_EQ(link(path("victim").c_str(), path("x").c_str()), 0);
  EXPECT_EQ(caught([&] { directory_->open_to_change("x"); })->fault(), Fault::integrity);
  directory_->write("x", "new");
  EXPECT_EQ(directory_->read("victim", 100), "mine");
}

TEST_F(SystemFiles, ADirectoryThatOthersCanWriteToIsRefused) {
  ASSERT_EQ(chmod(folder_.path().c_str(), 0770), 0);
  EXPECT_EQ(caught([&] { files_.open(folder_.path()); })->fault(), Fault::usage);
  EXPECT_NO_THROW(files_.open(folder_.path(), FileSystem::Owner::anyone));
}

TEST_F(SystemFiles, WhatIsMadeIsForThisUserOnly) {
  ASSERT_EQ(files_.make(path("a")), 0);
  files_.open(path("a"))->write("x", "1");
  struct stat status {};
  ASSERT_EQ(stat(path("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
  ASSERT_EQ(stat(path("a/x").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
}

// What was written as a whole is there as a whole after a loss of power, old or new.
TEST(PowerOfTexts, AFileIsReplacedAsAWhole) {
  std::size_t old = 0;
  std::size_t fresh = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    std::mt19937_64 random(seed);
    Faults faults;
    MemoryFileSystem files(faults);
    files.open("/")->write("x", "old");
    const std::uint64_t begin = faults.operations();
    faults.set({Trouble::io_error, begin + seed % 8, true, 0});
    const bool written = !caught([&] { files.open("/")->write("x", std::string(2000, 'n')); });
    faults.set({});
    files.lose_power(random);
    const std::optional<std::string> text = files.open("/")->read("x", 2000);
    ASSERT_TRUE(text == std::string(2000, 'n') || (text == "old" && !written)) << seed;
    ++(text == "old" ? old : fresh);
  }
  EXPECT_GT(old, 20U);
  EXPECT_GT(fresh, 20U);
}

TEST(PowerOfTexts, ADirectoryIsThereForGoodOnceTheOneAboveIsSynced) {
  std::size_t lost = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::mt19937_64 random(seed);
    Faults faults;
    MemoryFileSystem files(faults);
    ASSERT_EQ(files.make("/a"), 0);
    files.sync_above("/a");
    ASSERT_EQ(files.make("/b"), 0);
    ASSERT_EQ(files.remove("/a"), 0);
    files.lose_power(random);
    lost += files.is_directory("/b") ? 0 : 1;
    ASSERT_TRUE(files.is_directory("/b") || files.is_directory("/a"));
  }
  EXPECT_GT(lost, 10U);
  EXPECT_LT(lost, 90U);
}

}  // namespace
}  // namespace spillway
