// An open folder, and the files in it by name.
//
// The contents of a run folder may come from somebody else.  So symbolic links are not followed,
// only regular files of this user are read, and no more of them than there can be.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/descriptor.h"

namespace spillway {

class Folder {
 public:
  // Throws Error(usage) if it does not exist, or, with Owner::user, if it belongs to another user
  // or can be written by others.
  enum class Owner { user, anyone };
  explicit Folder(const std::string& path, Owner owner = Owner::user);

  const std::string& path() const { return path_; }
  std::string inside(const std::string& name) const { return path_ + "/" + name; }
  // Identifies this very folder, even after a rename, but not a copy of it.
  std::string birthmark() const;

  std::vector<std::string> names() const;  // of all entries, in byte order
  bool has(const std::string& name) const;
  // Total size of its regular files.
  std::uint64_t bytes() const;

  // std::nullopt if there is no such file.  Throws Error(integrity) if it is not a regular file of
  // this user, or larger than `most_bytes`.
  std::optional<std::string> read(const std::string& name, std::uint64_t most_bytes) const;
  // Replaces the file atomically and durably.  Throws Error(system).
  void write(const std::string& name, std::string_view text) const;
  // Opens a file that is changed in place; the descriptor is not open if there is no such file.
  // Throws Error(integrity) if it is not a regular file of this user, or if it has other hard
  // links, whose contents would change too.
  Descriptor open_to_change(const std::string& name) const;
  // Same, but creates the file if there is none.
  Descriptor open_or_make(const std::string& name) const;
  // No effect if `from` does not exist.
  void rename(const std::string& from, const std::string& to) const;
  // False if it is not a regular file, or cannot be removed.  True if it does not exist.
  bool remove(const std::string& name) const;
  void sync() const;

 private:
  Descriptor open_file(const std::string& name, int flags) const;

  std::string path_;
  Descriptor descriptor_;
};

// Writes all of `text` and syncs.  Throws Error(system), naming the file.
void write_all(const Descriptor& file, const std::string& path, std::uint64_t offset,
               std::string_view text);

}  // namespace spillway
