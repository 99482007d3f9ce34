// Files in directories of the operating system, read and written past the page cache (O_DIRECT).
//
// Directories, possibly on several devices, take new files in turn; each file lies in one
// directory.
//
// Scratch (Keep::no): files never have a name in the file system (O_TMPFILE; without it, the name
// is removed right after creation).  So the kernel frees their space however the process ends: by
// an exception, a signal, SIGKILL, or a loss of power.  A list of files to remove would miss the
// last two.  The price is an open descriptor per file, so the limit on descriptors is raised to the
// maximum.
//
// Kept (Keep::yes): the directory belongs to the run, mode 0700, and files have their names, mode
// 0600.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/data/disk.h"
#include "io/data/engine.h"
#include "io/data/system_file.h"

namespace spillway {

class SystemDisk final : public Disk {
 public:
  enum class Keep { no, yes };
  struct Options {
    std::vector<std::string> directories;
    Keep keep = Keep::no;
    EngineKind engine = EngineKind::best;
    std::size_t first_for_new = 0;  // new files go to the directories from this index on
    Budget* room = nullptr;         // limit for all files together; nullptr: none
    // More directories, whose files are never changed or removed.  If a file exists in both, the
    // one in `directories` is used.
    std::vector<std::string> only_read = {};
  };

  // Throws Error(usage) for a directory that is missing or unsafe.  Keep::yes creates the last
  // component of the path if it is missing, and refuses a directory of another user or one that
  // others may write to.
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
    bool direct;  // the file system supports O_DIRECT
    bool only_read;
  };
  struct Entry {
    std::size_t directory;
    std::shared_ptr<Inode> held;  // Keep::no: keeps the file alive
    std::weak_ptr<Inode> inode;   // shared by all open files of this name
    std::shared_ptr<RoomClaim> claim;
  };

  Directory open_directory(const std::string& path, bool only_read) const;
  void find_files(std::size_t directory);
  std::unique_ptr<File> file_of(const std::string& name, const Entry& entry,
                                std::shared_ptr<Inode> inode);

  const Keep keep_;
  const std::size_t first_for_new_;
  Budget* const room_;
  std::unique_ptr<Engine> engine_;
  std::vector<Directory> directories_;
  std::size_t own_ = 0;  // the first `own_` directories are writable
  mutable std::mutex mutex_;
  std::map<std::string, Entry> entries_;
  std::size_t next_ = 0;  // directory for the next file
};

}  // namespace spillway
