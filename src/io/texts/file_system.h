// A file system: opens, creates and removes run directories by their paths.
//
// Implementations: SystemFileSystem, and MemoryFileSystem for tests, which can lose its power and
// fail at every operation.
#pragma once

#include <memory>
#include <string>

#include "io/texts/directory.h"

namespace spillway {

class FileSystem {
 public:
  FileSystem() = default;
  virtual ~FileSystem() = default;
  FileSystem(const FileSystem&) = delete;
  FileSystem& operator=(const FileSystem&) = delete;

  enum class Owner { user, anyone };
  // Throws Error(usage) if it does not exist, or, with Owner::user, if it belongs to another user
  // or can be written by others.  The directory must not outlive the file system.
  virtual std::unique_ptr<Directory> open(const std::string& path, Owner owner = Owner::user) = 0;
  // False for a symbolic link.
  virtual bool is_directory(const std::string& path) = 0;

  // These return an error number, or 0.  They are durable after sync_above().
  virtual int make(const std::string& path) = 0;    // for this user only; fails if it exists
  virtual int remove(const std::string& path) = 0;  // fails if it is not empty

  // Syncs the directory that `path` is in.  Throws Error.
  void sync_above(const std::string& path);
};

}  // namespace spillway
