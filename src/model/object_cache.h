// Compiled models, kept from one process to the next.
//
// The cache is $XDG_CACHE_HOME/spillway, or ~/.cache/spillway.  An entry begins with its length and
// checksum; a damaged entry is rebuilt.  If the folder is missing or not safe from other users
// (base/process/private_folder.h), nothing is kept, and models are compiled in a temporary folder.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/process/private_folder.h"

namespace spillway {

class ObjectCache {
 public:
  using Say = std::function<void(const std::string&)>;
  // Without `used`, nothing is looked for or kept.  `tell` may be empty.
  ObjectCache(bool used, Say tell);

  // What was kept under this key, if it is as it was written.
  std::optional<std::string> find(const std::string& key) const;
  // Not being able to keep something is no error.  REQUIRES: `work` is from make_work_folder().
  void keep(const PrivateFolder& work, const std::string& key, const std::string& object) const;
  // A folder to compile in, on the same file system if something can be kept.  Throws
  // Error(system) if there is nowhere to write.
  PrivateFolder make_work_folder();

  // Why nothing is kept, and the remedy; empty if something is.
  const std::string& why_not() const { return why_not_; }

 private:
  void give_up(const std::string& why);

  const Say tell_;
  std::optional<PrivateFolder> folder_;
  std::string why_not_;
};

}  // namespace spillway
