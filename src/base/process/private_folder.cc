#include "base/process/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <vector>

#include "base/error.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWork = "work-";
// A process that makes a folder has locked it by then.
constexpr std::time_t kLeftOverSeconds = 60;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(Fault::system, fmt::format("{}: {}", printable(what), std::strerror(error)));
}

struct stat status_of(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) fail(path, errno);
  return status;
}

// Throws unless only root and this user can change what is in the folder.  In a sticky folder,
// others can change their own files only.
void examine_part(const Descriptor& folder, const std::string& path) {
  const struct stat status = status_of(folder, path);
  if (status.st_uid != 0 && status.st_uid != geteuid())
    throw Error(Fault::system, fmt::format("{} belongs to another user", printable(path)));
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (status.st_mode & S_ISVTX) == 0)
    throw Error(Fault::system, fmt::format("other users can write to {}", printable(path)));
}

void examine_ours(const Descriptor& folder, const std::string& path) {
  const struct stat status = status_of(folder, path);
  if (status.st_uid != geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    throw Error(Fault::system, fmt::format("{} must belong to you, and nobody else may write to it",
                                           printable(path)));
}

std::string random_name() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    fail("random numbers", errno);
  std::string name(kWork);
  for (const unsigned char byte : bytes) name += fmt::format("{:02x}", byte);
  return name;
}

Descriptor open_at(int folder, const std::string& name, int flags) {
  return Descriptor(openat(folder, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
}

constexpr int kFolder = O_RDONLY | O_DIRECTORY;

}  // namespace

PrivateFolder PrivateFolder::open(const std::string& path) {
  // Symbolic links are resolved once, here.  After that, none is followed.
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error || !real.is_absolute())
    throw Error(Fault::system, fmt::format("{}: no such path", printable(path)));
  Descriptor at = open_at(AT_FDCWD, "/", O_PATH | O_DIRECTORY);
  if (!at.is_open()) fail("/", errno);
  examine_part(at, "/");
  fs::path so_far = "/";
  std::vector<std::string> parts;
  for (const fs::path& part : real.relative_path())
    if (!part.empty()) parts.push_back(part.string());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    so_far /= parts[i];
    if (mkdirat(at.number(), parts[i].c_str(), S_IRWXU) != 0 && errno != EEXIST)
      fail(so_far.string(), errno);
    Descriptor next =
        open_at(at.number(), parts[i], i + 1 == parts.size() ? kFolder : O_PATH | O_DIRECTORY);
    if (!next.is_open()) fail(so_far.string(), errno);
    examine_part(next, so_far.string());
    at = std::move(next);
  }
  examine_ours(at, so_far.string());
  return {std::move(at), so_far.string()};
}

PrivateFolder PrivateFolder::make_inside() const {
  const std::string name = random_name();
  const std::string path = path_ + "/" + name;
  if (mkdirat(descriptor(), name.c_str(), S_IRWXU) != 0) fail(path, errno);
  Descriptor made = open_at(descriptor(), name, kFolder);
  if (!made.is_open()) fail(path, errno);
  flock(made.number(), LOCK_EX | LOCK_NB);  // held while the folder is in use
  PrivateFolder folder(std::move(made), path);
  folder.parent_ = Descriptor(fcntl(descriptor(), F_DUPFD_CLOEXEC, 0));
  folder.name_ = name;
  return folder;
}

PrivateFolder PrivateFolder::make_temporary() {
  std::vector<std::string> places = {"/tmp", "/var/tmp", "/dev/shm"};
  const char* const chosen = std::getenv("TMPDIR");
  if (chosen != nullptr && *chosen == '/') places.insert(places.begin(), chosen);
  std::string tried;
  for (const std::string& above : places) {
    try {
      Descriptor parent(::open(above.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!parent.is_open()) fail(above, errno);
      PrivateFolder made = PrivateFolder(std::move(parent), above).make_inside();
      examine_ours(made.descriptor_, made.path());
      return made;
    } catch (const Error& error) {
      tried += fmt::format("{}{}", tried.empty() ? "" : "; ", error.what());
    }
  }
  throw Error(Fault::system, "there is no directory for temporary files: " + tried);
}

std::optional<std::string> PrivateFolder::read(const std::string& name) const {
  const Descriptor file = open_at(descriptor(), name, O_RDONLY | O_NONBLOCK);
  if (!file.is_open()) return std::nullopt;
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid())
    return std::nullopt;
  std::string contents(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < contents.size()) {
    const ssize_t more = ::read(file.number(), contents.data() + done, contents.size() - done);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) return std::nullopt;
    done += static_cast<std::size_t>(more);
  }
  return contents;
}

void PrivateFolder::write(const std::string& name, std::string_view contents) const {
  const std::string path = path_ + "/" + name;
  const Descriptor file(openat(descriptor(), name.c_str(),
                               O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                               S_IRUSR | S_IWUSR));
  if (!file.is_open()) fail(path, errno);
  while (!contents.empty()) {
    const ssize_t more = ::write(file.number(), contents.data(), contents.size());
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) fail(path, more < 0 ? errno : ENOSPC);
    contents.remove_prefix(static_cast<std::size_t>(more));
  }
}

void PrivateFolder::take_over(const PrivateFolder& from, const std::string& name,
                              const std::string& new_name) const {
  const Descriptor file = open_at(from.descriptor(), name, O_RDONLY);
  if (!file.is_open() || fsync(file.number()) != 0) fail(from.path() + "/" + name, errno);
  if (renameat(from.descriptor(), name.c_str(), descriptor(), new_name.c_str()) != 0 ||
      fsync(descriptor()) != 0)
    fail(path_ + "/" + new_name, errno);
}

bool PrivateFolder::remove(const std::string& name) const {
  return unlinkat(descriptor(), name.c_str(), 0) == 0;
}

void PrivateFolder::remove_all() const {
  // A process that was killed a moment ago may make a last file.
  constexpr int kTimes = 5;
  for (int time = 0; time < kTimes; ++time) {
    DIR* const all = fdopendir(fcntl(descriptor(), F_DUPFD_CLOEXEC, 0));
    if (all != nullptr) {
      rewinddir(all);
      while (const dirent* const entry = readdir(all)) unlinkat(descriptor(), entry->d_name, 0);
      closedir(all);
    }
    if (!parent_.is_open() || unlinkat(parent_.number(), name_.c_str(), AT_REMOVEDIR) == 0 ||
        errno != ENOTEMPTY)
      return;
    usleep(2000);
  }
}

void PrivateFolder::remove_left_over() const {
  DIR* const all = fdopendir(fcntl(descriptor(), F_DUPFD_CLOEXEC, 0));
  if (all == nullptr) return;
  rewinddir(all);
  while (const dirent* const entry = readdir(all)) {
    const std::string name = entry->d_name;
    if (!name.starts_with(kWork)) continue;
    PrivateFolder folder(open_at(descriptor(), name, kFolder), path_ + "/" + name);
    struct stat status {};
    if (!folder.descriptor_.is_open() || fstat(folder.descriptor(), &status) != 0) continue;
    if (std::time(nullptr) - status.st_mtime < kLeftOverSeconds) continue;
    if (flock(folder.descriptor(), LOCK_EX | LOCK_NB) != 0) continue;
    folder.parent_ = Descriptor(fcntl(descriptor(), F_DUPFD_CLOEXEC, 0));
    folder.name_ = name;
    folder.remove_all();
  }
  closedir(all);
}

}  // namespace spillway
