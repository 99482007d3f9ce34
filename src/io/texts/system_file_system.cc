#include "io/texts/system_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/text/printable.h"
#include "io/descriptor.h"
#include "io/io_error.h"

namespace spillway {
namespace {

// O_NONBLOCK: a pipe is not waited for.
constexpr int kSafely = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr mode_t kOwnFile = S_IRUSR | S_IWUSR;

// The error number of a system call that has returned `result`; 0 if it succeeded.
int number_of(int result) { return result == 0 ? 0 : errno; }

class SystemTextFile final : public TextFile {
 public:
  SystemTextFile(std::string path, Descriptor descriptor)
      : TextFile(std::move(path)), descriptor_(std::move(descriptor)) {}

 protected:
  std::int64_t try_read(std::uint64_t offset, std::span<char> text) override {
    const ssize_t some =
        pread(descriptor_.number(), text.data(), text.size(), static_cast<off_t>(offset));
    return some < 0 ? -errno : some;
  }
  std::int64_t try_write(std::uint64_t offset, std::string_view text) override {
    const ssize_t some =
        pwrite(descriptor_.number(), text.data(), text.size(), static_cast<off_t>(offset));
    return some < 0 ? -errno : some;
  }
  int try_sync() override { return number_of(fsync(descriptor_.number())); }
  int try_clear() override { return number_of(ftruncate(descriptor_.number(), 0)); }
  int try_status(Status& status) override {
    struct stat found {};
    if (fstat(descriptor_.number(), &found) != 0) return errno;
    status.regular = S_ISREG(found.st_mode);
    status.ours = found.st_uid == geteuid();
    status.bytes = static_cast<std::uint64_t>(found.st_size);
    status.links = found.st_nlink;
    return 0;
  }
  int try_lock(Sharing sharing) override {
    const int how = sharing == Sharing::exclusive ? LOCK_EX : LOCK_SH;
    return number_of(flock(descriptor_.number(), how | LOCK_NB));
  }

 private:
  const Descriptor descriptor_;
};

class SystemDirectory final : public Directory {
 public:
  SystemDirectory(std::string path, Descriptor descriptor)
      : Directory(std::move(path)), descriptor_(std::move(descriptor)) {}

 protected:
  int try_open(const std::string& name, How how, std::unique_ptr<TextFile>& file) override {
    Descriptor opened(openat(descriptor_.number(), name.c_str(), flags(how) | kSafely, kOwnFile));
    if (!opened.is_open()) return errno;
    file = std::make_unique<SystemTextFile>(inside(name), std::move(opened));
    return 0;
  }
  int try_rename(const std::string& from, const std::string& to) override {
    const int here = descriptor_.number();
    return number_of(renameat(here, from.c_str(), here, to.c_str()));
  }
  int try_remove(const std::string& name) override {
    return number_of(unlinkat(descriptor_.number(), name.c_str(), 0));
  }
  int try_sync() override { return number_of(fsync(descriptor_.number())); }
  int try_list(std::vector<std::string>& names) override;
  int try_look(const std::string& name, Entry& entry) override {
    struct stat found {};
    if (fstatat(descriptor_.number(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    entry.regular = S_ISREG(found.st_mode);
    entry.bytes = static_cast<std::uint64_t>(found.st_size);
    return 0;
  }
  int try_birthmark(std::string& mark) override;

 private:
  static int flags(How how) {
    switch (how) {
      case How::read: return O_RDONLY;
      case How::change: return O_RDWR;
      case How::make: break;
    }
    return O_RDWR | O_CREAT | O_EXCL;
  }

  const Descriptor descriptor_;
};

int SystemDirectory::try_list(std::vector<std::string>& names) {
  const int again = openat(descriptor_.number(), ".", kFolder);
  if (again < 0) return errno;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(fdopendir(again), closedir);
  if (!listing) return errno;
  names.clear();
  while (const dirent* entry = readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  return 0;
}

// The device number of a disk can change when the machine is restarted, so it is used only where
// there is no time of birth.
int SystemDirectory::try_birthmark(std::string& mark) {
  struct statx status {};
  if (statx(descriptor_.number(), "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0)
    return errno;
  if ((status.stx_mask & STATX_BTIME) != 0)
    mark = fmt::format("{}-{}.{:09}", status.stx_ino, status.stx_btime.tv_sec,
                       status.stx_btime.tv_nsec);
  else
    mark = fmt::format("{}-{}:{}", status.stx_ino, status.stx_dev_major, status.stx_dev_minor);
  return 0;
}

std::string why_not_opened(int number) {
  if (number == ENOENT) return "no such directory";
  if (number == ENOTDIR) return "not a run directory";
  return std::strerror(number);
}

void check_owner(const Descriptor& directory, const std::string& path) {
  struct stat status {};
  if (fstat(directory.number(), &status) != 0) throw text_error(path, "get its status", errno);
  if (status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
  throw Error(Fault::usage, fmt::format("{}: belongs to another user or is writable by others "
                                        "(mode {:o}); make your own copy with mode 700",
                                        printable(path), status.st_mode & 07777));
}

}  // namespace

std::unique_ptr<Directory> SystemFileSystem::open(const std::string& path, Owner owner) {
  Descriptor descriptor(::open(path.c_str(), kFolder));
  if (!descriptor.is_open())
    throw Error(Fault::usage, fmt::format("{}: {}", printable(path), why_not_opened(errno)));
  if (owner == Owner::user) check_owner(descriptor, path);
  return std::make_unique<SystemDirectory>(path, std::move(descriptor));
}

bool SystemFileSystem::is_directory(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

int SystemFileSystem::make(const std::string& path) {
  return number_of(mkdir(path.c_str(), S_IRWXU));
}

int SystemFileSystem::remove(const std::string& path) { return number_of(rmdir(path.c_str())); }

}  // namespace spillway
