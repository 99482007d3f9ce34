// A real file system without space.  It takes the right to mount one.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "io/data/system_disk.h"
#include "unit/io/disks.h"

namespace spillway {
namespace {

// ext4 in a file.  Its blocks are small, so that little is left over when it is full.
class SmallFileSystem {
 public:
  SmallFileSystem() {
    const std::string make = "truncate -s 4M '" + image_ + "' && mkfs.ext4 -q -F -m 0 -b 1024 '" +
                             image_ + "' && mount -o loop '" + image_ + "' '" + place_.path() + "'";
    mounted_ = std::system(("{ " + make + "; } >/dev/null 2>&1").c_str()) == 0;
  }
  ~SmallFileSystem() {
    if (!mounted_) return;
    EXPECT_EQ(std::system(("umount '" + place_.path() + "'").c_str()), 0);
  }
  SmallFileSystem(const SmallFileSystem&) = delete;
  SmallFileSystem& operator=(const SmallFileSystem&) = delete;

  bool is_mounted() const { return mounted_; }
  std::string path() const { return place_.path(); }
  // Leaves this many bytes free.
  void fill(std::uint64_t but) const {
    struct statvfs status {};
    ASSERT_EQ(statvfs(path().c_str(), &status), 0);
    const int filler = open((path() + "/filler").c_str(), O_CREAT | O_WRONLY, 0600);
    ASSERT_EQ(fallocate(filler, 0, 0, static_cast<off_t>(status.f_bavail * status.f_frsize - but)),
              0);
    close(filler);
  }

 private:
  const TemporaryFolder folder_, place_;
  const std::string image_ = folder_.path() + "/image";
  bool mounted_ = false;
};

// ext4 keeps what it had allocated when fallocate() ran out of space, and the file is longer.
TEST(FullDisk, AFileIsAsLongAsWhatWasWritten) {
  const SmallFileSystem small;
  if (!small.is_mounted()) GTEST_SKIP() << "no file system can be mounted here";
  small.fill(100 << 10);
  SystemDisk disk({{small.path()}, SystemDisk::Keep::yes});
  Budget budget(1 << 20);
  const Buffer buffer = Buffer::need(budget, 8 << 10, "a test");
  const auto file = disk.create("a");
  file->write(0, buffer.all()).wait();
  file->sync();
  EXPECT_EQ(std::filesystem::file_size(small.path() + "/a"), buffer.size());
}

}  // namespace
}  // namespace spillway
