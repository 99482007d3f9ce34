#include "base/process/machine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "unit/temporary_folder.h"

namespace spillway {
namespace {

// The files of a machine, as far as they tell about control groups.
class FakeMachine {
 public:
  FakeMachine& groups(const std::string& lines) {
    folder_.write("proc/self/cgroup", lines);
    return *this;
  }
  FakeMachine& file(const std::string& name, const std::string& text) {
    folder_.write("sys/fs/cgroup/" + name, text);
    return *this;
  }
  std::uint64_t limit() const { return cgroup_limit_bytes(folder_.path() + "/"); }

 private:
  TemporaryFolder folder_;
};

TEST(CgroupLimit, NoControlGroupsIsNoLimit) {
  EXPECT_EQ(FakeMachine().limit(), 0U);
  EXPECT_EQ(FakeMachine().groups("").limit(), 0U);
  EXPECT_EQ(FakeMachine().groups("nonsense\n0\n").limit(), 0U);
}

TEST(CgroupLimit, Version2) {
  EXPECT_EQ(FakeMachine().groups("0::/job\n").file("job/memory.max", "1073741824\n").limit(),
            1073741824U);
}

TEST(CgroupLimit, Version2InTheRootOfAContainer) {
  EXPECT_EQ(FakeMachine().groups("0::/\n").file("memory.max", "4096000\n").limit(), 4096000U);
}

TEST(CgroupLimit, Version2Max) {
  EXPECT_EQ(FakeMachine().groups("0::/job\n").file("job/memory.max", "max\n").limit(), 0U);
}

TEST(CgroupLimit, TheSmallestOfAllGroupsAboveCounts) {
  const auto limit = [](const char* root, const char* middle, const char* leaf) {
    FakeMachine machine;
    machine.groups("0::/a/b\n")
        .file("memory.max", root)
        .file("a/memory.max", middle)
        .file("a/b/memory.max", leaf);
    return machine.limit();
  };
  EXPECT_EQ(limit("max", "5000", "9000"), 5000U);
  EXPECT_EQ(limit("max", "9000", "5000"), 5000U);
  EXPECT_EQ(limit("4000", "9000", "5000"), 4000U);
  EXPECT_EQ(limit("max", "5000", "max"), 5000U);
  EXPECT_EQ(limit("max", "max", "max"), 0U);
}

TEST(CgroupLimit, GroupsWhoseFilesAreMissingAreSkipped) {
  EXPECT_EQ(FakeMachine().groups("0::/docker/4711\n").file("memory.max", "7000\n").limit(), 7000U);
}

TEST(CgroupLimit, Version1) {
  FakeMachine machine;
  machine.groups("5:cpu,cpuacct:/x\n4:memory:/job\n3:pids:/y\n")
      .file("memory/job/memory.limit_in_bytes", "2048000\n");
  EXPECT_EQ(machine.limit(), 2048000U);
}

TEST(CgroupLimit, Version1AmongOtherControllers) {
  FakeMachine machine;
  machine.groups("4:hugetlb,memory:/job\n").file("memory/job/memory.limit_in_bytes", "2048000\n");
  EXPECT_EQ(machine.limit(), 2048000U);
}

TEST(CgroupLimit, Version1OfAControllerWithASimilarName) {
  FakeMachine machine;
  machine.groups("4:memory_like:/job\n").file("memory/job/memory.limit_in_bytes", "2048000\n");
  EXPECT_EQ(machine.limit(), 0U);
}

TEST(CgroupLimit, Version1WithTheLimitAbove) {
  FakeMachine machine;
  machine.groups("4:memory:/a/b\n")
      .file("memory/a/b/memory.limit_in_bytes", "9223372036854771712\n")
      .file("memory/a/memory.limit_in_bytes", "3000\n")
      .file("memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.limit(), 3000U);
}

TEST(CgroupLimit, Version1HugeNumberIsNoLimit) {
  FakeMachine machine;
  machine.groups("4:memory:/job\n")
      .file("memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine.limit(), 0U);
}

TEST(CgroupLimit, BothVersionsAtOnce) {
  FakeMachine machine;
  machine.groups("4:memory:/job\n0::/job\n")
      .file("memory/job/memory.limit_in_bytes", "9223372036854771712\n")
      .file("job/memory.max", "6000\n");
  EXPECT_EQ(machine.limit(), 6000U);
}

TEST(Machine, HasMemoryAndProcessors) {
  EXPECT_GT(memory_limit_bytes(), std::uint64_t{1} << 20);
  EXPECT_GE(allowed_processors(), 1U);
}

TEST(Machine, ResidentMemoryGrowsWithUseAndPeakStays) {
  constexpr std::uint64_t kBytes = std::uint64_t{64} << 20;
  const std::uint64_t before = resident_bytes();
  std::uint64_t during = 0;
  {
    std::vector<char> touched(kBytes, 1);
    during = resident_bytes();
    EXPECT_EQ(touched[kBytes / 2], 1);
  }
  EXPECT_GE(during, before + kBytes / 10 * 9);
  EXPECT_GE(peak_resident_bytes() + (std::uint64_t{8} << 20), during);
}

}  // namespace
}  // namespace spillway
