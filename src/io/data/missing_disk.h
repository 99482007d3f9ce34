// A disk where nothing can be created, for searches that may not need one.
#pragma once

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "io/data/disk.h"

namespace spillway {

class MissingDisk final : public Disk {
 public:
  // `why` is the message of the error that create() throws.
  explicit MissingDisk(std::string why, Fault fault = Fault::disk)
      : why_(std::move(why)), fault_(fault) {}

  std::vector<std::string> list() override { return {}; }
  std::string describe() const override { return "none"; }

 protected:
  int try_create(const std::string&, std::unique_ptr<File>&) override { throw Error(fault_, why_); }
  int try_open(const std::string&, std::unique_ptr<File>&) override { return ENOENT; }
  int try_remove(const std::string&) override { return ENOENT; }
  int try_rename(const std::string&, const std::string&) override { return ENOENT; }
  int try_sync_directory() override { return 0; }

 private:
  const std::string why_;
  const Fault fault_;
};

}  // namespace spillway
