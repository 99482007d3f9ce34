// The only interface to files: a flat set of named files.
//
// Implementations: SystemDisk (io_uring or pread/pwrite), and those of tests/support: MemoryDisk, and
// FaultyDisk around either of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/data/counters.h"
#include "io/data/file.h"

namespace spillway {

class Disk {
 public:
  Disk() = default;
  virtual ~Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  // Any thread.  Failures throw Error(system), or Error(disk) if the disk is full, and name the
  // file.  A name consists of letters, digits, '.', '-', '_' and begins with a letter or a digit;
  // any other name throws Error(integrity), because it was read from a file.  Files must not
  // outlive the disk.

  // For reading and writing.  Fails if the name exists.
  std::unique_ptr<File> create(const std::string& name);
  // Likewise, but read-only if the file is in a read-only directory.  Fails if it does not exist.
  std::unique_ptr<File> open(const std::string& name);
  // Open files stay usable.
  void remove(const std::string& name);
  // Fails if `to` exists.
  void rename(const std::string& from, const std::string& to);
  // Makes all creations, renames and removals durable.
  void sync_directory();

  virtual std::vector<std::string> list() = 0;  // in byte order
  // For the report: how files are read and written, and why.
  virtual std::string describe() const = 0;

  IoCounters& counters() { return counters_; }

 protected:
  friend class FaultyDisk;

  // These return an error number, or 0.
  virtual int try_create(const std::string& name, std::unique_ptr<File>& file) = 0;
  virtual int try_open(const std::string& name, std::unique_ptr<File>& file) = 0;
  virtual int try_remove(const std::string& name) = 0;
  virtual int try_rename(const std::string& from, const std::string& to) = 0;
  virtual int try_sync_directory() = 0;
  // The name of a file in error messages.
  virtual std::string full_name(const std::string& name) const { return name; }

 private:
  IoCounters counters_;
};

}  // namespace spillway
