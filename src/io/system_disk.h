// Files in directories of the operating system, read and written past the page cache (O_DIRECT).
//
// Several directories, on several devices, are used in turn: a file lies in one of them.
//
// Scratch (Keep::no): files never have a name in the file system (O_TMPFILE; where that is missing, the name goes as
// soon as the file is there).  So the kernel frees their space however the process ends: by an exception, a
// signal, SIGKILL, or the power.  A list of files to remove would miss the last two.  The price: an open
// descriptor for each file, so the limit of those is raised as far as it goes.
// Kept (Keep::yes): the directory is the run's own, with mode 0700, and files have their names, mode 0600.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/disk.h"
#include "io/engine.h"
#include "io/system_file.h"

namespace spillway {

class SystemDisk final : public Disk {
 public:
  enum class Keep { no, yes };
  struct Options {
    std::vector<std::string> directories;
    Keep keep = Keep::no;
    EngineKind engine = EngineKind::best;
    std::size_t first_for_new = 0;            // new files go into directories from this one on
    Budget* room = nullptr;                   // that all files together may take; nothing: as much as there is
    std::vector<std::string> only_read = {};  // more directories: what is in them is neither changed nor removed.  Of
                                              // files of the same name, one in `directories` counts
  };

  // Throws Error(usage) for a directory that is not there or not safe: Keep::yes makes the last part of the path,
  // and refuses one that others may write to.
  explicit SystemDisk(const Options& options);

  std::vector<std::string> list() override;
  std::string describe() const override;

 protected:
  int try_create(const std::string& name, std::unique_ptr<File>& file) override;
  int try_open(const std::string& name, std::unique_ptr<File>& file) override;
  int try_remove(const std::string& name) override;
  int try_rename(const std::string& from, const std::string& to) override;
  int try_sync_directory() override;
  std::string full_name(const std::string& name) const override;

 private:
  struct Directory {
    std::string path;
    Descriptor descriptor;
    bool direct;  // the file system can do without the page cache
    bool only_read;
  };
  struct Entry {
    std::size_t directory;
    std::shared_ptr<Inode> held;  // Keep::no: what keeps the file alive
    std::weak_ptr<Inode> inode;   // of those who have it open
    std::shared_ptr<RoomClaim> claim;
  };

  Directory open_directory(const std::string& path, bool only_read) const;
  void find_files(std::size_t directory);
  std::unique_ptr<File> file_of(const std::string& name, const Entry& entry, std::shared_ptr<Inode> inode);

  const Keep keep_;
  const std::size_t first_for_new_;
  Budget* const room_;
  std::unique_ptr<Engine> engine_;
  std::vector<Directory> directories_;
  std::size_t own_ = 0;  // directories that are not only read: the first
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::size_t next_ = 0;  // directory for the next file
};

}  // namespace spillway
