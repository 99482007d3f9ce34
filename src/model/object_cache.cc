#include "model/object_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/hash/sha256.h"
#include "base/text/printable.h"

namespace spillway {
namespace {

std::string entry_name(const std::string& key) { return key + ".object"; }

// The head of an entry: what the object was made of, its length and its checksum.
std::string entry_head(const std::string& key, std::string_view object) {
  return fmt::format("spillway-object 1\n{}\n{}\n{}\n", key, object.size(), sha256(object));
}

// Where the object in an entry begins; std::nullopt if the entry is not as it was written.
std::optional<std::size_t> object_in(std::string_view entry, const std::string& key) {
  constexpr std::size_t kLines = 4;
  std::size_t end = 0;
  for (std::size_t line = 0; line < kLines; ++line) {
    end = entry.find('\n', end);
    if (end == std::string_view::npos) return std::nullopt;
    ++end;
  }
  if (entry.substr(0, end) != entry_head(key, entry.substr(end))) return std::nullopt;
  return end;
}

std::string cache_path() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (xdg != nullptr && *xdg == '/') return std::string(xdg) + "/spillway";
  if (home != nullptr && *home == '/') return std::string(home) + "/.cache/spillway";
  return "";
}

}  // namespace

ObjectCache::ObjectCache(bool used, Say tell) : tell_(std::move(tell)) {
  if (!used) return;
  const std::string path = cache_path();
  if (path.empty()) {
    give_up("neither XDG_CACHE_HOME nor HOME is the absolute path of a directory");
    return;
  }
  try {
    folder_ = PrivateFolder::open(path);
  } catch (const Error& error) {
    give_up(error.what());
  }
}

void ObjectCache::give_up(const std::string& why) {
  folder_.reset();
  why_not_ = why + "; set XDG_CACHE_HOME to a directory of your own";
  if (tell_) tell_("compiled models are not cached: " + why_not_);
}

std::optional<std::string> ObjectCache::find(const std::string& key) const {
  if (!folder_) return std::nullopt;
  std::optional<std::string> entry = folder_->read(entry_name(key));
  if (!entry) return std::nullopt;
  const std::optional<std::size_t> from = object_in(*entry, key);
  if (tell_) {
    const std::string path = printable(folder_->path() + "/" + entry_name(key));
    tell_(from ? fmt::format("using the compiled model in the cache: {}", path)
               : fmt::format("{} is damaged and is made again", path));
  }
  if (!from) return std::nullopt;
  entry->erase(0, *from);
  return entry;
}

void ObjectCache::keep(const PrivateFolder& work, const std::string& key,
                       const std::string& object) const {
  constexpr const char* kEntry = "entry";
  if (!folder_) return;
  try {
    work.write(kEntry, entry_head(key, object) + object);
    folder_->take_over(work, kEntry, entry_name(key));
  } catch (const Error& error) {  // it can be made again
    if (tell_) tell_(fmt::format("the compiled model is not cached: {}", error.what()));
  }
}

PrivateFolder ObjectCache::make_work_folder() {
  if (!folder_) return PrivateFolder::make_temporary();
  try {
    folder_->remove_left_over();
    return folder_->make_inside();
  } catch (const Error& error) {
    give_up(error.what());
    return PrivateFolder::make_temporary();
  }
}

}  // namespace spillway
