// Folders that nobody else can change, and files in them.  A folder is an open descriptor: what is done with its files
// is done in that folder, whatever becomes of its path.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.h"

namespace spillway {

class PrivateFolder {
 public:
  // The folder at an absolute path, made with all that is missing above it.  Every part of the path must belong to root
  // or to us, and nobody else may write in it; a folder like /tmp, where nobody can rename what is not his, will do
  // above ours.  Throws Error(system) with the part that is not so.
  static PrivateFolder open(const std::string& path);
  // A new one with a name that nobody can guess, inside this folder; or inside TMPDIR or /tmp.
  PrivateFolder make_inside() const;
  static PrivateFolder make_temporary();

  int descriptor() const { return descriptor_.number(); }
  const std::string& path() const { return path_; }  // for people

  // The contents of a file of ours; none if it is not there, is a link or no plain file, or belongs to somebody else.
  std::optional<std::string> read(const std::string& name) const;
  // A new file.  Throws Error(system).
  void write(const std::string& name, std::string_view contents) const;
  // Puts a file of `from` here, in place of what has its name: all of it or nothing, also if the power fails.
  void take_over(const PrivateFolder& from, const std::string& name, const std::string& new_name) const;
  bool remove(const std::string& name) const;
  // All files in it, and the folder itself if it was made here and is empty then.
  void remove_all() const;
  // Removes what was made inside and belongs to no process any more.
  void remove_left_over() const;

 private:
  PrivateFolder(Descriptor descriptor, std::string path) : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  Descriptor descriptor_;
  std::string path_;
  Descriptor parent_;  // of one that was made
  std::string name_;   // there
};

}  // namespace spillway
