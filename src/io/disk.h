// The one door to the operating system's files: a flat set of named files.
//
// Twins: SystemDisk (io_uring or pread/pwrite), MemoryDisk, and FaultyDisk around any of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/counters.h"
#include "io/file.h"

namespace spillway {

class Disk {
 public:
  Disk() = default;
  virtual ~Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  // All of these: any thread; Error(system) names the file.  Names are letters, digits, '.', '-', '_' and begin
  // with a letter or a digit; another name is an Error(integrity), because it comes from a file.  Files
  // must not outlive the disk.
  std::unique_ptr<File> create(const std::string& name);        // for reading and writing; there is none of this name
  std::unique_ptr<File> open(const std::string& name);          // likewise; there is one
  void remove(const std::string& name);                         // who has it open can go on using it
  void rename(const std::string& from, const std::string& to);  // there is none named `to`
  // What was created, renamed and removed survives a loss of power when this returns.
  void sync_directory();

  virtual std::vector<std::string> list() = 0;  // in alphabetical order
  virtual std::string describe() const = 0;     // for the report: how files are read and written, and why so

  IoCounters& counters() { return counters_; }

 protected:
  friend class FaultyDisk;

  // These return an error number, or 0.
  virtual int try_create(const std::string& name, std::unique_ptr<File>& file) = 0;
  virtual int try_open(const std::string& name, std::unique_ptr<File>& file) = 0;
  virtual int try_remove(const std::string& name) = 0;
  virtual int try_rename(const std::string& from, const std::string& to) = 0;
  virtual int try_sync_directory() = 0;
  // How errors tell a file that is not open.
  virtual std::string full_name(const std::string& name) const { return name; }

 private:
  IoCounters counters_;
};

}  // namespace spillway
