// What files of the operating system promise besides.
#include "io/data/system_disk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

#include "unit/caught.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

using Keep = SystemDisk::Keep;

std::size_t entries_in(const std::string& path) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    count += entry.exists() ? 1 : 0;
  return count;
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(ScratchDisk, NobodySeesItsFiles) {
  const TemporaryFolder folder;
  SystemDisk disk({{folder.path()}});
  const auto file = disk.create("a");
  Budget budget(1 << 20);
  const Buffer buffer = Buffer::need(budget, 1 << 16, "a test");
  file->write(0, buffer.all()).wait();
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(ScratchDisk, NothingIsLeftByAProcessThatIsKilled) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    SystemDisk disk({{folder.path()}, Keep::no, EngineKind::posix});
    Budget budget(1 << 20);
    const Buffer buffer = Buffer::need(budget, 1 << 16, "a test");
    const auto file = disk.create("a");
    file->write(0, buffer.all()).wait();
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(entries_in(folder.path()), 0U);
}

TEST(ScratchDisk, AMissingDirectoryIsAnErrorOfUse) {
  const auto error = caught([] { SystemDisk disk({{"/nowhere/at/all"}}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
  EXPECT_NE(std::string(error->what()).find("/nowhere/at/all"), std::string::npos);
}

TEST(KeptDisk, FilesAndDirectoryArePrivate) {
  const TemporaryFolder folder;
  const mode_t before = umask(0);
  {
    SystemDisk disk({{folder.path() + "/run"}, Keep::yes});
    disk.create("a");
  }
  umask(before);
  EXPECT_EQ(mode_of(folder.path() + "/run"), 0700U);
  EXPECT_EQ(mode_of(folder.path() + "/run/a"), 0600U);
}

TEST(KeptDisk, ADirectoryThatOthersMayWriteToIsRefused) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/open";
  ASSERT_EQ(mkdir(path.c_str(), 0700), 0);
  ASSERT_EQ(chmod(path.c_str(), 0777), 0);
  const auto error = caught([&] { SystemDisk disk({{path}, Keep::yes}); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault(), Fault::usage);
}

TEST(KeptDisk, LinksAreNotFollowed) {
  const TemporaryFolder folder;
  const std::string canary = folder.write("canary", "untouched");
  const std::string run = folder.path() + "/run";
  SystemDisk disk({{run}, Keep::yes});
  ASSERT_EQ(symlink(canary.c_str(), (run + "/a").c_str()), 0);
  EXPECT_TRUE(caught([&] { disk.create("a"); }));
  SystemDisk again({{run}, Keep::yes});
  EXPECT_TRUE(again.list().empty());
  EXPECT_TRUE(caught([&] { again.open("a"); }));
  ASSERT_EQ(symlink(run.c_str(), (folder.path() + "/link").c_str()), 0);
  EXPECT_TRUE(caught([&] { SystemDisk linked({{folder.path() + "/link"}, Keep::yes}); }));
  EXPECT_EQ(std::filesystem::file_size(canary), 9U);
}

TEST(KeptDisk, WhatIsOnlyReadStaysAsItIs) {
  const TemporaryFolder folder;
  const std::string own = folder.path() + "/own";
  const std::string others = folder.path() + "/others";
  Budget budget(1 << 20);
  const Buffer buffer = Buffer::need(budget, kSector, "a test");
  for (const std::string& path : {own, others}) {
    SystemDisk disk({{path}, Keep::yes});
    for (const char* name : {"both", path == own ? "mine" : "theirs"})
      disk.create(name)->write(0, buffer.all()).wait();
  }
  std::filesystem::resize_file(own + "/both", 0);
  SystemDisk::Options options{{own}, Keep::yes};
  options.only_read = {others};
  SystemDisk disk(options);
  EXPECT_EQ(disk.list(), (std::vector<std::string>{"both", "mine", "theirs"}));
  EXPECT_EQ(disk.open("both")->size(), 0U) << "one's own comes first";
  EXPECT_EQ(disk.open("theirs")->size(), kSector);
  disk.open("theirs")->read(0, buffer.all()).wait();
  EXPECT_TRUE(caught([&] { disk.remove("theirs"); }));
  EXPECT_TRUE(caught([&] { disk.rename("theirs", "mine-now"); }));
  EXPECT_TRUE(caught([&] { disk.open("theirs")->write(0, buffer.all()).wait(); }));
  disk.create("new");
  disk.sync_directory();
  EXPECT_EQ(entries_in(others), 2U);
  EXPECT_EQ(entries_in(own), 3U);
  options.only_read = {folder.path() + "/missing"};
  EXPECT_TRUE(caught([&] { SystemDisk missing(options); }));
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/missing"));
}

TEST(KeptDisk, FindsItsFilesAgainAtTheirSize) {
  const TemporaryFolder folder;
  const SystemDisk::Options options{{folder.path() + "/a", folder.path() + "/b"}, Keep::yes};
  Budget budget(1 << 20);
  Buffer buffer = Buffer::need(budget, 5 * kSector, "a test");
  fill(buffer, 1);
  {
    SystemDisk disk(options);
    for (const char* name : {"x", "y", "z"}) disk.create(name)->write(0, buffer.all()).wait();
  }
  EXPECT_EQ(entries_in(folder.path() + "/a"), 2U);  // in turn
  EXPECT_EQ(entries_in(folder.path() + "/b"), 1U);
  EXPECT_EQ(std::filesystem::file_size(folder.path() + "/b/y"), 5 * kSector);
  SystemDisk disk(options);
  EXPECT_EQ(disk.list(), (std::vector<std::string>{"x", "y", "z"}));
  const Buffer in = Buffer::need(budget, 5 * kSector, "a test");
  disk.open("y")->read(0, in.all()).wait();
  EXPECT_TRUE(same(buffer, in));
}

// Pages of a file that are in the page cache.
std::size_t cached_pages(const std::string& path) {
  const Descriptor descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  const std::size_t size = std::filesystem::file_size(path);
  void* map = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor.number(), 0);
  std::vector<unsigned char> present(size / 4096);
  EXPECT_EQ(mincore(map, size, present.data()), 0);
  munmap(map, size);
  return static_cast<std::size_t>(
      std::ranges::count_if(present, [](unsigned char c) { return (c & 1) != 0; }));
}

TEST(KeptDisk, ThePageCacheStaysEmpty) {
  const TemporaryFolder folder;
  SystemDisk disk({{folder.path()}, Keep::yes});
  if (disk.describe().find("page cache") != std::string::npos) GTEST_SKIP() << disk.describe();
  Budget budget(1 << 20);
  const Buffer buffer = Buffer::need(budget, 1 << 20, "a test");
  const auto file = disk.create("a");
  file->write(0, buffer.all()).wait();
  file->read(0, buffer.all()).wait();
  EXPECT_EQ(cached_pages(folder.path() + "/a"), 0U);
}

TEST(KeptDisk, AFileThatMayNotGrowIsAnErrorNotTheEnd) {
  const TemporaryFolder folder;
  SystemDisk disk({{folder.path()}, Keep::yes});
  Budget budget(1 << 20);
  const Buffer buffer = Buffer::need(budget, 1 << 20, "a test");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{300'000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto error = caught([&] { disk.create("a")->write(0, buffer.all()).wait(); });
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what())
                .find("a: cannot write 1,048,576 bytes at offset 0: File too large (EFBIG)"),
            std::string::npos)
      << error->what();
}

// Runs `code` in a process with a filter of system calls; 77 where there can be none.
template <class Code>
int with_filter(std::vector<sock_filter> filter, Code code) {
  const pid_t child = fork();
  if (child == 0) {
    const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      _exit(77);
    _exit(code());
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100;
}

// io_uring_setup() fails as it does in many containers.
std::vector<sock_filter> no_uring() {
  return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
}

// O_TMPFILE is refused as by file systems that do not have it.
std::vector<sock_filter> no_unnamed_files() {
  return {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 3),
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[2])),
          BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
}

TEST(ScratchDisk, NobodySeesItsFilesWhereTheyMustHaveAName) {
  const TemporaryFolder folder;
  const int status = with_filter(no_unnamed_files(), [&] {
    // the filter does nothing
    if (open(folder.path().c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600) >= 0) return 1;
    SystemDisk disk({{folder.path()}, Keep::no, EngineKind::posix});
    const auto file = disk.create("a");
    Budget budget(1 << 20);
    const Buffer buffer = Buffer::need(budget, 1 << 16, "a test");
    file->write(0, buffer.all()).wait();
    return entries_in(folder.path()) == 0 ? 0 : 2;
  });
  if (status == 77) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

TEST(Engine, FallsBackWithAReasonWhereTheKernelRefusesIoUring) {
  const int status = with_filter(no_uring(), [] {
    const std::string told = make_engine(EngineKind::best)->describe();
    if (told.find(
            "pread and pwrite, because the kernel refuses io_uring: Operation not permitted") ==
        std::string::npos)
      return 1;
    return caught([] { make_engine(EngineKind::uring); }) ? 0 : 2;
  });
  if (status == 77) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace spillway
