// The files of a disk whose names begin with a prefix, as a disk of its own.
//
// So several owners share a disk, its directories and its limits, and none sees files of another.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/data/disk.h"

namespace spillway {

class PartOfDisk final : public Disk {
 public:
  // REQUIRES: the disk outlives it.  Errors and counters are those of the disk.
  PartOfDisk(Disk& disk, std::string prefix) : disk_(disk), prefix_(std::move(prefix)) {}

  std::vector<std::string> list() override {
    std::vector<std::string> all;
    for (const std::string& name : disk_.list())
      if (name.starts_with(prefix_)) all.push_back(name.substr(prefix_.size()));
    return all;
  }
  std::string describe() const override { return disk_.describe(); }

 private:
  // The disk throws what is wrong, with the whole name.
  int try_create(const std::string& name, std::unique_ptr<File>& file) override {
    file = disk_.create(prefix_ + name);
    return 0;
  }
  int try_open(const std::string& name, std::unique_ptr<File>& file) override {
    file = disk_.open(prefix_ + name);
    return 0;
  }
  int try_remove(const std::string& name) override {
    disk_.remove(prefix_ + name);
    return 0;
  }
  int try_rename(const std::string& from, const std::string& to) override {
    disk_.rename(prefix_ + from, prefix_ + to);
    return 0;
  }
  int try_sync_directory() override {
    disk_.sync_directory();
    return 0;
  }
  std::string full_name(const std::string& name) const override { return prefix_ + name; }

  Disk& disk_;
  const std::string prefix_;
};

}  // namespace spillway
