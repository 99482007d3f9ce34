#include "directory/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"
#include "base/printable.h"

namespace spillway {
namespace {

// the last one: a pipe is not waited for
constexpr int kSafely = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
constexpr mode_t kOwnFile = S_IRUSR | S_IWUSR;

[[noreturn]] void refused(const std::string& path, std::string_view verb) {
  const int number = errno;
  throw Error(Fault::system,
              fmt::format("{}: cannot {}: {}", printable(path), verb, std::strerror(number)));
}

[[noreturn]] void not_of_a_run(const std::string& path, std::string_view why) {
  throw Error(Fault::integrity, fmt::format("{}: not a file of a run: {}", printable(path), why));
}

struct stat status_of(int descriptor, const std::string& path) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) refused(path, "get its status");
  return status;
}

Descriptor open_folder(const std::string& path, Folder::Owner owner) {
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    const std::string why = errno == ENOENT    ? "no such directory"
                            : errno == ENOTDIR ? "not a run directory"
                                               : std::strerror(errno);
    throw Error(Fault::usage, fmt::format("{}: {}", printable(path), why));
  }
  const struct stat status = status_of(descriptor.number(), path);
  if (owner == Folder::Owner::anyone) return descriptor;
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(Fault::usage, fmt::format("{}: belongs to another user or is writable by others "
                                          "(mode {:o}); make your own copy with mode 700",
                                          printable(path), status.st_mode & 07777));
  return descriptor;
}

}  // namespace

void write_all(const Descriptor& file, const std::string& path, std::uint64_t offset,
               std::string_view text) {
  while (!text.empty()) {
    const ssize_t some =
        pwrite(file.number(), text.data(), text.size(), static_cast<off_t>(offset));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) refused(path, "write");
    text.remove_prefix(static_cast<std::size_t>(some));
    offset += static_cast<std::uint64_t>(some);
  }
  if (fsync(file.number()) != 0) refused(path, "sync");
}

Folder::Folder(const std::string& path, Owner owner)
    : path_(path), descriptor_(open_folder(path, owner)) {}

std::string Folder::birthmark() const {
  struct statx status {};
  if (statx(descriptor_.number(), "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &status) != 0)
    refused(path_, "get its status");
  if ((status.stx_mask & STATX_BTIME) != 0)
    return fmt::format("{}-{}.{:09}", status.stx_ino, status.stx_btime.tv_sec,
                       status.stx_btime.tv_nsec);
  return fmt::format("{}-{}:{}", status.stx_ino, status.stx_dev_major, status.stx_dev_minor);
}

std::vector<std::string> Folder::names() const {
  const int again = openat(descriptor_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(again < 0 ? nullptr : fdopendir(again),
                                                    closedir);
  if (!listing) refused(path_, "list");
  std::vector<std::string> all;
  while (const dirent* entry = readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") all.emplace_back(name);
  }
  std::sort(all.begin(), all.end());
  return all;
}

bool Folder::has(const std::string& name) const {
  struct stat status {};
  return fstatat(descriptor_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

std::uint64_t Folder::bytes() const {
  std::uint64_t all = 0;
  for (const std::string& name : names()) {
    struct stat status {};
    if (fstatat(descriptor_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode))
      all += static_cast<std::uint64_t>(status.st_size);
  }
  return all;
}

Descriptor Folder::open_file(const std::string& name, int flags) const {
  Descriptor file(openat(descriptor_.number(), name.c_str(), flags | kSafely, kOwnFile));
  if (file.number() < 0) {
    if (errno == ELOOP) not_of_a_run(inside(name), "it is a symbolic link");
    if (errno == ENOENT) return file;
    refused(inside(name), "open");
  }
  const struct stat status = status_of(file.number(), inside(name));
  if (!S_ISREG(status.st_mode)) not_of_a_run(inside(name), "it is not a regular file");
  if (status.st_uid != geteuid()) not_of_a_run(inside(name), "it belongs to another user");
  return file;
}

std::optional<std::string> Folder::read(const std::string& name, std::uint64_t most_bytes) const {
  const Descriptor file = open_file(name, O_RDONLY);
  if (file.number() < 0) return std::nullopt;
  const struct stat status = status_of(file.number(), inside(name));
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes)
    not_of_a_run(inside(name), "it is too large");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t some =
        pread(file.number(), text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (some < 0 && errno == EINTR) continue;
    if (some < 0) refused(inside(name), "read");
    if (some == 0) break;
    done += static_cast<std::size_t>(some);
  }
  text.resize(done);
  return text;
}

void Folder::write(const std::string& name, std::string_view text) const {
  const std::string unfinished = name + ".tmp";
  unlinkat(descriptor_.number(), unfinished.c_str(), 0);
  {
    const Descriptor file = open_file(unfinished, O_WRONLY | O_CREAT | O_EXCL);
    write_all(file, inside(unfinished), 0, text);
  }
  if (renameat(descriptor_.number(), unfinished.c_str(), descriptor_.number(), name.c_str()) != 0)
    refused(inside(name), "rename");
  sync();
}

Descriptor Folder::open_to_change(const std::string& name) const {
  Descriptor file = open_file(name, O_RDWR);
  if (file.number() >= 0 && status_of(file.number(), inside(name)).st_nlink > 1)
    not_of_a_run(inside(name), "it has more than one hard link; copy a run with 'cp -r'");
  return file;
}

Descriptor Folder::open_or_make(const std::string& name) const {
  {
    const Descriptor made(
        openat(descriptor_.number(), name.c_str(), O_RDWR | O_CREAT | O_EXCL | kSafely, kOwnFile));
    if (made.number() < 0 && errno != EEXIST) refused(inside(name), "create");
  }
  return open_to_change(name);
}

void Folder::rename(const std::string& from, const std::string& to) const {
  if (renameat(descriptor_.number(), from.c_str(), descriptor_.number(), to.c_str()) != 0 &&
      errno != ENOENT)
    refused(inside(from), "rename");
}

bool Folder::remove(const std::string& name) const {
  struct stat status {};
  if (fstatat(descriptor_.number(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  if (!S_ISREG(status.st_mode)) return false;
  return unlinkat(descriptor_.number(), name.c_str(), 0) == 0;
}

void Folder::sync() const {
  if (fsync(descriptor_.number()) != 0) refused(path_, "sync");
}

}  // namespace spillway
