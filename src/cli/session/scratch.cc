#include "cli/session/scratch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

// Why files cannot be created in a directory; empty if they can.
std::string why_not(const std::string& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error))
    return error ? error.message() : std::strerror(ENOTDIR);
  return access(directory.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

}  // namespace

Scratch::Scratch(const std::vector<std::string>& chosen, Budget* room,
                 const std::function<void(const std::string&)>& say) {
  SystemDisk::Options options{chosen};
  options.room = room;
  if (!chosen.empty()) {
    try {
      system_.emplace(options);
    } catch (const Error& error) {
      throw Error(Fault::usage, fmt::format("--disk: {}", error.what()));
    }
    return;
  }
  const char* const named = std::getenv("TMPDIR");
  const bool is_named = named != nullptr && *named != '\0';
  std::vector<std::string> places = {"/var/tmp", "/tmp"};
  if (is_named) places.insert(places.begin(), named);
  std::string tried;
  for (const std::string& place : places) {
    const std::string why = why_not(place);
    if (why.empty()) {
      options.directories = {place};
      system_.emplace(options);
      if (!tried.empty() && is_named)
        say(fmt::format("TMPDIR: {}; states that do not fit in memory go to {}", tried, place));
      return;
    }
    tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", printable(place), why);
  }
  missing_.emplace(fmt::format(
      "the states do not fit in memory, and there is no directory for them ({}): use --disk DIR",
      tried));
}

}  // namespace spillway
