// A folder that is open, and files in it by their names.
//
// What a folder of a run has may come from somebody else: links are not followed, nothing but regular files of this
// user is read, and no more of them than there can be.
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
  // Throws Error(usage) when there is none, or, unless anyone may own it, it belongs to somebody else or can be written
  // by others.
  enum class Owner { user, anyone };
  explicit Folder(const std::string& path, Owner owner = Owner::user);

  const std::string& path() const { return path_; }
  std::string inside(const std::string& name) const { return path_ + "/" + name; }
  // By which this very folder is known, also after it was renamed, and no copy of it.
  std::string birthmark() const;

  std::vector<std::string> names() const;  // of all that is in it, in alphabetical order
  bool has(const std::string& name) const;
  // Bytes of its regular files.
  std::uint64_t bytes() const;

  // Nothing: there is no such file.  Throws Error(integrity) when it is no regular file of this user, or larger.
  std::optional<std::string> read(const std::string& name, std::uint64_t most_bytes) const;
  // The file has this text, or what it had before, whatever happens.
  void write(const std::string& name, std::string_view text) const;
  // A file that is changed in place.  Throws Error(integrity) when it is no regular file of this user, or has other
  // names, under which something else would change.
  Descriptor open_to_change(const std::string& name) const;
  // The same, made if there is none.
  Descriptor open_or_make(const std::string& name) const;
  void rename(const std::string& from, const std::string& to) const;  // if it is there
  // False: it is no regular file, and stays.
  bool remove(const std::string& name) const;
  void sync() const;

 private:
  Descriptor open_file(const std::string& name, int flags) const;

  std::string path_;
  Descriptor descriptor_;
};

// Writes all of it, and syncs.  Throws Error(system), which names the file.
void write_all(const Descriptor& file, const std::string& path, std::uint64_t offset, std::string_view text);

}  // namespace spillway
