#include "cli/session/saved_result.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"
#include "base/text/read_file.h"
#include "directory/run_directory.h"
#include "io/texts/system_file_system.h"

namespace spillway {
namespace {

constexpr std::size_t kMostShownBytes = 4 << 20;

}  // namespace

std::string saved_result(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) return read_file(path);
  SystemFileSystem files;
  const RunDirectory directory = RunDirectory::look(files, path);
  std::optional<std::string> result = directory.result();
  if (!result) result = directory.earlier_result();
  if (!result)
    throw Error(Fault::usage,
                fmt::format("{}: no process of this run has left a result yet", printable(path)));
  return *result;
}

std::optional<std::string> model_text(const std::string& path, const std::string& sha256) {
  try {
    // A result may name anything, also what never ends.
    std::error_code none;
    if (sha256.empty() || !std::filesystem::is_regular_file(path, none) ||
        std::filesystem::file_size(path, none) > kMostShownBytes || sha256_of(path) != sha256)
      return std::nullopt;
    std::string text = read_file(path, kMostShownBytes);
    if (text.find('\0') != std::string::npos) return std::nullopt;  // native code
    return text;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::optional<std::string> model_text_of_run(const std::string& directory) {
  try {
    SystemFileSystem files;
    const RunDirectory run = RunDirectory::look(files, directory);
    if (run.config().native()) return std::nullopt;
    const std::string copy = run.model_path("");
    return model_text(copy, sha256_of(copy));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace spillway
