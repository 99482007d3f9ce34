// The disk for states that do not fit in memory.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/budget.h"
#include "io/data/missing_disk.h"
#include "io/data/system_disk.h"

namespace spillway {

class Scratch {
 public:
  // In the directories that the user chose, or else in the first of TMPDIR, /var/tmp and /tmp that
  // can be used.  If there is none, the disk refuses when it is needed, which may be never.  `say`
  // is told if TMPDIR cannot be used.  Throws Error(usage) for a directory that the user chose.
  Scratch(const std::vector<std::string>& chosen, Budget* room,
          const std::function<void(const std::string&)>& say);

  Disk& disk() { return missing_ ? static_cast<Disk&>(*missing_) : *system_; }

 private:
  std::optional<SystemDisk> system_;
  std::optional<MissingDisk> missing_;
};

}  // namespace spillway
