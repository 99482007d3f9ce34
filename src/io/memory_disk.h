// The twin of SystemDisk in memory, for tests.  Transfers are over when they begin.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "io/disk.h"

namespace spillway {

class MemoryDisk final : public Disk {
 public:
  std::vector<std::string> list() override;
  std::string describe() const override { return "memory"; }

  // The bytes of a file, for tests that look at them or spoil them.  REQUIRES: there is one of this name, and no
  // transfer under way.
  std::vector<std::byte>& bytes(const std::string& name);

  struct Content {
    std::mutex mutex;
    std::vector<std::byte> bytes;
  };

 protected:
  int try_create(const std::string& name, std::unique_ptr<File>& file) override;
  int try_open(const std::string& name, std::unique_ptr<File>& file) override;
  int try_remove(const std::string& name) override;
  int try_rename(const std::string& from, const std::string& to) override;
  int try_sync_directory() override { return 0; }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Content>> contents_;
};

}  // namespace spillway
