// The room that all files of a search may take together.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "io/data/system_disk.h"
#include "unit/caught.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

constexpr std::uint64_t kRoom = 64 * kSector;

class Room : public testing::Test {
 protected:
  SystemDisk::Options options(SystemDisk::Keep keep) {
    return {{folder_.path()}, keep, EngineKind::posix, 0, &room_};
  }
  void write(File& file, std::uint64_t sector, std::size_t sectors) {
    file.write(sector * kSector, buffer_.all().first(sectors * kSector)).wait();
  }

  const TemporaryFolder folder_;
  Budget room_{kRoom};
  Budget memory_{1 << 20};
  const Buffer buffer_ = Buffer::need(memory_, kRoom, "a test");
};

TEST_F(Room, IsSharedByAllFilesOfAllDisks) {
  SystemDisk scratch(options(SystemDisk::Keep::no));
  SystemDisk kept(options(SystemDisk::Keep::yes));
  const auto one = scratch.create("a");
  const auto other = kept.create("b");
  write(*one, 0, 40);
  write(*other, 0, 24);
  EXPECT_EQ(room_.left(), 0U);
  const std::optional<Error> error = caught([&] { write(*other, 24, 1); });
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->fault(), Fault::disk);
  const std::string sentence = error->what();
  EXPECT_NE(sentence.find("would exceed --disk-limit, 0 B free, at least 4.0 KiB more"),
            std::string::npos)
      << sentence;
  write(*one, 3, 7);  // what a file has may be written again
}

TEST_F(Room, IsNotExceededByWhatIsAllocatedAhead) {
  SystemDisk kept(options(SystemDisk::Keep::yes));
  const auto file = kept.create("b");
  write(*file, 0, 60);
  struct stat status {};
  ASSERT_EQ(stat((folder_.path() + "/b").c_str(), &status), 0);
  EXPECT_LE(static_cast<std::uint64_t>(status.st_blocks) * 512, kRoom);
  EXPECT_LE(static_cast<std::uint64_t>(status.st_size), kRoom);
}

TEST_F(Room, IsGivenBack) {
  SystemDisk scratch(options(SystemDisk::Keep::no));
  auto file = scratch.create("a");
  write(*file, 0, 64);
  file->truncate(10 * kSector);
  EXPECT_EQ(room_.used(), 10 * kSector);
  scratch.remove("a");
  EXPECT_EQ(room_.used(), 10 * kSector) << "someone has it open";
  file.reset();
  EXPECT_EQ(room_.used(), 0U);
}

TEST_F(Room, IsTakenByWhatIsAllocatedAheadUntilSync) {
  Budget large(4 << 20);
  SystemDisk scratch({{folder_.path()}, SystemDisk::Keep::no, EngineKind::posix, 0, &large});
  const auto file = scratch.create("a");
  write(*file, 0, 20);
  EXPECT_GT(large.used(), 20 * kSector);
  file->sync();
  EXPECT_EQ(large.used(), 20 * kSector);
}

TEST_F(Room, IsTakenByWhatEarlierProcessesHaveLeft) {
  {
    SystemDisk kept(options(SystemDisk::Keep::yes));
    const auto file = kept.create("b");
    write(*file, 0, 50);
    file->sync();
  }
  EXPECT_EQ(room_.used(), 0U);
  SystemDisk kept(options(SystemDisk::Keep::yes));
  EXPECT_EQ(room_.used(), 50 * kSector);
  EXPECT_EQ(caught([&] { write(*kept.create("c"), 0, 15); }).value().fault(), Fault::disk);
  write(*kept.create("d"), 0, 14);
  kept.remove("b");
  EXPECT_EQ(room_.used(), 14 * kSector);
  Budget less(10 * kSector);  // than there is: nothing more can be written, but all can be read
  SystemDisk full({{folder_.path()}, SystemDisk::Keep::yes, EngineKind::posix, 0, &less});
  EXPECT_EQ(less.left(), 0U);
  EXPECT_EQ(full.open("d")->size(), 14 * kSector);
  EXPECT_EQ(caught([&] { write(*full.open("d"), 14, 1); }).value().fault(), Fault::disk);
}

}  // namespace
}  // namespace spillway
