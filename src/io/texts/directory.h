// An open directory, and the small files in it by name.
//
// The contents of a run directory may come from somebody else.  So symbolic links are not followed,
// only regular files of this user are read, and no more of them than there can be.
//
// Implementations: those of SystemFileSystem and MemoryFileSystem.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/texts/text_file.h"

namespace spillway {

class Directory {
 public:
  explicit Directory(std::string path) : path_(std::move(path)) {}
  virtual ~Directory() = default;
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;

  const std::string& path() const { return path_; }
  std::string inside(const std::string& name) const { return path_ + "/" + name; }

  // These throw Error(system), naming the file.

  // Identifies this very directory, even after a rename, but not a copy of it.
  std::string birthmark();
  std::vector<std::string> names();  // of all entries, in byte order
  std::uint64_t bytes();             // total size of its regular files

  // std::nullopt if there is no such file.  Throws Error(integrity) if it is not a regular file of
  // this user, or larger than `most_bytes`.
  std::optional<std::string> read(const std::string& name, std::uint64_t most_bytes);
  // Replaces the file atomically and durably.
  void write(const std::string& name, std::string_view text);
  // Opens a file that is changed in place; nullptr if there is no such file.  Throws
  // Error(integrity) if it is not a regular file of this user, or if it has other hard links, whose
  // contents would change too.
  std::unique_ptr<TextFile> open_to_change(const std::string& name);
  // Same, but creates the file if there is none.
  std::unique_ptr<TextFile> open_or_make(const std::string& name);
  // Replaces `to`.  No effect if `from` does not exist.
  void rename(const std::string& from, const std::string& to);
  // False if it is not a regular file, or cannot be removed.  True if it does not exist.
  bool remove(const std::string& name);
  // Makes all creations, renames and removals durable.
  void sync();

 protected:
  enum class How { read, change, make };  // make: fails if the file exists
  struct Entry {
    bool regular = false;
    std::uint64_t bytes = 0;
  };

  // These return an error number, or 0.
  // REQUIRES of try_open(): never follows a symbolic link (ELOOP), never waits for a pipe.
  virtual int try_open(const std::string& name, How how, std::unique_ptr<TextFile>& file) = 0;
  virtual int try_rename(const std::string& from, const std::string& to) = 0;
  virtual int try_remove(const std::string& name) = 0;
  virtual int try_sync() = 0;
  virtual int try_list(std::vector<std::string>& names) = 0;
  virtual int try_look(const std::string& name, Entry& entry) = 0;  // at a link itself
  virtual int try_birthmark(std::string& mark) = 0;

 private:
  // nullptr if there is no such file.
  std::unique_ptr<TextFile> open_file(const std::string& name, How how);

  const std::string path_;
};

}  // namespace spillway
