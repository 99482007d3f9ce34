// A check with a disk in memory, unless the options name another.
#pragma once

#include "check/check.h"
#include "support/memory_disk.h"

namespace spillway {

inline CheckResult check_in_memory(const Model& model, const Algorithm& algorithm,
                                   CheckOptions options) {
  MemoryDisk disk;
  if (options.disk == nullptr) options.disk = &disk;
  return check(model, algorithm, options);
}

}  // namespace spillway
