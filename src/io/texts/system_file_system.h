// The file system of the operating system.
#pragma once

#include "io/texts/file_system.h"

namespace spillway {

class SystemFileSystem final : public FileSystem {
 public:
  std::unique_ptr<Directory> open(const std::string& path, Owner owner = Owner::user) override;
  bool is_directory(const std::string& path) override;
  int make(const std::string& path) override;
  int remove(const std::string& path) override;
};

}  // namespace spillway
