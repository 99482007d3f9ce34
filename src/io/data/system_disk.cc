#include "io/data/system_disk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <random>

#include <fmt/format.h>

#include "base/error.h"
#include "io/io_error.h"

namespace spillway {
namespace {

constexpr int kPlain = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
constexpr int kReading = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;

// Each of these returns a descriptor, or -1 with errno.
int create_named(int directory, const char* name, int direct) {
  return openat(directory, name, kPlain | O_CREAT | O_EXCL | direct, 0600);
}

int create_unnamed(int directory, int direct) {
  const int descriptor = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC | direct, 0600);
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT))
    return descriptor;
  std::random_device random;
  const std::string name = fmt::format("spillway-{:08x}{:08x}", random(), random());
  const int named = create_named(directory, name.c_str(), direct);
  if (named >= 0) unlinkat(directory, name.c_str(), 0);
  return named;
}

// Some file systems accept O_DIRECT when a file is opened and refuse the first transfer.
bool can_do_direct(int directory) {
  const int descriptor = create_unnamed(directory, O_DIRECT);
  if (descriptor < 0) return errno != EINVAL;
  alignas(kSector) static const std::byte sector[kSector]{};
  const bool refused = pwrite(descriptor, sector, kSector, 0) < 0 && errno == EINVAL;
  close(descriptor);
  return !refused;
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

void check_private(const std::string& path, int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0)
    throw operation_error(path, "get the status of the directory", errno);
  if (status.st_uid == geteuid() && (status.st_mode & 022) == 0) return;
  throw Error(Fault::usage, fmt::format("{}: belongs to another user or is writable by others "
                                        "(mode {:o}); use a directory of your own with mode 700",
                                        path, status.st_mode & 07777));
}

}  // namespace

SystemDisk::SystemDisk(const Options& options)
    : keep_(options.keep),
      first_for_new_(options.first_for_new),
      room_(options.room),
      engine_(make_engine(options.engine)) {
  raise_descriptor_limit();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report
  SPILLWAY_CHECK(options.first_for_new < options.directories.size());
  for (const std::string& path : options.directories) {
    directories_.push_back(open_directory(path, false));
    if (keep_ == Keep::yes) find_files(directories_.size() - 1);
  }
  own_ = directories_.size();
  for (const std::string& path : options.only_read) {
    directories_.push_back(open_directory(path, true));
    find_files(directories_.size() - 1);
  }
}

SystemDisk::Directory SystemDisk::open_directory(const std::string& path, bool only_read) const {
  const bool made = keep_ == Keep::yes && !only_read && mkdir(path.c_str(), 0700) == 0;
  const int no_link = keep_ == Keep::yes ? O_NOFOLLOW : 0;
  Descriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | no_link));
  if (descriptor.number() < 0)
    throw Error(Fault::usage, operation_error(path, "use as scratch directory", errno).what());
  if (keep_ == Keep::yes && !made) check_private(path, descriptor.number());
  const bool direct = !only_read && can_do_direct(descriptor.number());
  return {path, std::move(descriptor), direct, only_read};
}

void SystemDisk::find_files(std::size_t directory) {
  const int descriptor =
      openat(directories_[directory].descriptor.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* listing = descriptor < 0 ? nullptr : fdopendir(descriptor);
  if (listing == nullptr) throw operation_error(directories_[directory].path, "list", errno);
  while (const dirent* entry = readdir(listing)) {
    struct stat status {};
    if (fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode))
      entries_.emplace(
          entry->d_name,
          Entry{directory,
                nullptr,
                {},
                std::make_shared<RoomClaim>(room_, static_cast<std::uint64_t>(status.st_size))});
  }
  closedir(listing);
}

std::unique_ptr<File> SystemDisk::file_of(const std::string& name, const Entry& entry,
                                          std::shared_ptr<Inode> inode) {
  return std::make_unique<SystemFile>(directories_[entry.directory].path + "/" + name, counters(),
                                      std::move(inode), *engine_);
}

int SystemDisk::try_create(const std::string& name, std::unique_ptr<File>& file) {
  const std::lock_guard lock(mutex_);
  if (entries_.contains(name)) return EEXIST;
  const std::size_t number = first_for_new_ + next_++ % (own_ - first_for_new_);
  const Directory& directory = directories_[number];
  const int direct = directory.direct ? O_DIRECT : 0;
  Descriptor descriptor(keep_ == Keep::yes
                            ? create_named(directory.descriptor.number(), name.c_str(), direct)
                            : create_unnamed(directory.descriptor.number(), direct));
  if (descriptor.number() < 0) return errno;
  auto claim = std::make_shared<RoomClaim>(room_);
  auto inode = std::make_shared<Inode>(std::move(descriptor), 0, claim);
  const Entry entry{number, keep_ == Keep::no ? inode : nullptr, inode, std::move(claim)};
  file = file_of(name, entry, std::move(inode));
  entries_.emplace(name, entry);
  return 0;
}

int SystemDisk::try_open(const std::string& name, std::unique_ptr<File>& file) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return ENOENT;
  Entry& entry = found->second;
  std::shared_ptr<Inode> inode = entry.inode.lock();
  if (!inode) {
    const Directory& directory = directories_[entry.directory];
    const int direct = directory.direct ? O_DIRECT : 0;
    Descriptor descriptor(openat(directory.descriptor.number(), name.c_str(),
                                 directory.only_read ? kReading : kPlain | direct));
    if (descriptor.number() < 0) return errno;
    struct stat status {};
    if (fstat(descriptor.number(), &status) != 0) return errno;
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid()) return EPERM;
    inode = std::make_shared<Inode>(std::move(descriptor),
                                    static_cast<std::uint64_t>(status.st_size), entry.claim);
    entry.inode = inode;
  }
  file = file_of(name, entry, std::move(inode));
  return 0;
}

int SystemDisk::try_remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return ENOENT;
  if (directories_[found->second.directory].only_read) return EROFS;
  if (keep_ == Keep::yes &&
      unlinkat(directories_[found->second.directory].descriptor.number(), name.c_str(), 0) != 0)
    return errno;
  entries_.erase(found);
  return 0;
}

int SystemDisk::try_rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (entries_.contains(to)) return EEXIST;
  const auto found = entries_.find(from);
  if (found == entries_.end()) return ENOENT;
  if (directories_[found->second.directory].only_read) return EROFS;
  const int directory = directories_[found->second.directory].descriptor.number();
  if (keep_ == Keep::yes &&
      renameat2(directory, from.c_str(), directory, to.c_str(), RENAME_NOREPLACE) != 0)
    return errno;
  auto node = entries_.extract(found);
  node.key() = to;
  entries_.insert(std::move(node));
  return 0;
}

int SystemDisk::try_sync_directory() {
  if (keep_ == Keep::no) return 0;
  for (const Directory& directory : directories_)
    if (!directory.only_read && fsync(directory.descriptor.number()) != 0) return errno;
  return 0;
}

std::vector<std::string> SystemDisk::list() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::string SystemDisk::full_name(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  return directories_[found == entries_.end() ? 0 : found->second.directory].path + "/" + name;
}

std::string SystemDisk::describe() const {
  std::string text = engine_->describe();
  for (const Directory& directory : directories_)
    if (!directory.direct)
      text +=
          fmt::format("; through the page cache, because the file system of {} has no direct I/O",
                      directory.path);
  return text;
}

}  // namespace spillway
