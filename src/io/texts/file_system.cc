#include "io/texts/file_system.h"

#include <filesystem>

namespace spillway {

void FileSystem::sync_above(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path whole = fs::absolute(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // it ended with a slash
  open(whole.parent_path().string(), Owner::anyone)->sync();
}

}  // namespace spillway
