// Folders that no other user can change, and files in them.  A folder is an open descriptor: all
// operations take place in that folder even if its path is renamed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/process/descriptor.h"

namespace spillway {

class PrivateFolder {
 public:
  // The folder at an absolute path; missing folders are created.  Every component must belong to
  // root or to this user and must not be writable by others.  A sticky folder such as /tmp, where
  // users cannot rename each other's files, is accepted above the last component, which must belong
  // to this user.  Throws Error(system) naming the component at fault.
  static PrivateFolder open(const std::string& path);
  // A new folder with an unguessable name: inside this one, or inside the first of TMPDIR, /tmp,
  // /var/tmp and /dev/shm where that is possible.  It stays locked while the object lives.
  PrivateFolder make_inside() const;
  static PrivateFolder make_temporary();

  int descriptor() const { return descriptor_.number(); }
  const std::string& path() const { return path_; }  // for messages

  // The contents of a file; std::nullopt if it is missing, a symbolic link, not a regular file, or
  // owned by another user.
  std::optional<std::string> read(const std::string& name) const;
  // Creates a file.  Throws Error(system), also if it exists.
  void write(const std::string& name, std::string_view contents) const;
  // Moves a file of `from` here, replacing `new_name` atomically and durably.  Throws
  // Error(system).
  void take_over(const PrivateFolder& from, const std::string& name,
                 const std::string& new_name) const;
  bool remove(const std::string& name) const;
  // Removes all files, and the folder itself if it was created by make_inside() or
  // make_temporary().
  void remove_all() const;
  // Removes folders left by make_inside() in processes that have ended.
  void remove_left_over() const;

 private:
  PrivateFolder(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;
  Descriptor parent_;  // of a folder that was created
  std::string name_;   // name in parent_
};

}  // namespace spillway
