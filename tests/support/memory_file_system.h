// An in-memory counterpart of SystemFileSystem, for tests.
//
// It can lose its power, as MemoryDisk can: of the directories that were created or removed in a
// directory since that was last synced, a prefix survives.  It can fail at every operation.  An
// operation is one attempt to read or write, or one open, create, remove, rename, sync, lock or
// list.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "io/texts/file_system.h"
#include "support/faults.h"
#include "support/memory_disk.h"

namespace spillway {

class MemoryFileSystem final : public FileSystem {
 public:
  // There is one directory, "/".  `faults` must outlive the file system.
  explicit MemoryFileSystem(Faults& faults);

  std::unique_ptr<Directory> open(const std::string& path, Owner owner = Owner::user) override;
  bool is_directory(const std::string& path) override;
  int make(const std::string& path) override;
  int remove(const std::string& path) override;

  // REQUIRES: no directory or file is open.
  void lose_power(std::mt19937_64& random);

  // The files of a directory as a disk, without faults.  REQUIRES: it exists.
  MemoryDisk& disk(const std::string& path);

 private:
  friend class MemoryDirectory;

  struct Node {
    explicit Node(std::uint64_t number) : birth(number) {}
    MemoryDisk disk{MemoryDisk::Power::may_go};
    const std::uint64_t birth;
  };
  struct Change {
    std::string path;
    std::shared_ptr<Node> node;
    bool made;  // otherwise removed
  };
  static std::string above(const std::string& path);
  void synced(const std::string& path);  // the directory itself

  Faults& faults_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Node>> nodes_;   // by path
  std::map<std::string, std::vector<Change>> unsynced_;  // by the directory they are in
  std::uint64_t next_birth_ = 1;
};

}  // namespace spillway
