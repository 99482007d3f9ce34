// The disks that must behave alike, and bytes to write to them.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "io/data/buffer.h"
#include "io/data/system_disk.h"
#include "sanitized.h"
#include "support/faulty_disk.h"
#include "support/memory_disk.h"
#include "unit/temporary_folder.h"

namespace spillway {

enum class DiskKind { memory, posix, uring, kept, striped, faulty };

// With the thread sanitizer only the one that has threads: the kernel's are not seen.
inline std::vector<DiskKind> all_disk_kinds() {
  if (kThreadsWatched) return {DiskKind::posix};
  return {DiskKind::memory, DiskKind::posix,   DiskKind::uring,
          DiskKind::kept,   DiskKind::striped, DiskKind::faulty};
}

inline std::string name_of(DiskKind kind) {
  constexpr const char* kNames[] = {"Memory", "Posix", "Uring", "Kept", "Striped", "Faulty"};
  return kNames[static_cast<std::size_t>(kind)];
}

// A disk of a kind, in a folder that goes with it.
class TestDisk {
 public:
  explicit TestDisk(DiskKind kind) {
    const auto system = [&](std::vector<std::string> directories, SystemDisk::Keep keep,
                            EngineKind engine) {
      return std::make_unique<SystemDisk>(
          SystemDisk::Options{std::move(directories), keep, engine});
    };
    using Keep = SystemDisk::Keep;
    switch (kind) {
      case DiskKind::memory: disk_ = std::make_unique<MemoryDisk>(); break;
      case DiskKind::posix: disk_ = system({folder_.path()}, Keep::no, EngineKind::posix); break;
      case DiskKind::uring: disk_ = system({folder_.path()}, Keep::no, EngineKind::best); break;
      case DiskKind::kept: disk_ = system({folder_.path()}, Keep::yes, EngineKind::best); break;
      case DiskKind::striped:
        disk_ = system({folder_.path() + "/a", folder_.path() + "/b", folder_.path() + "/c"},
                       Keep::yes, EngineKind::best);
        break;
      case DiskKind::faulty:
        inner_ = std::make_unique<MemoryDisk>();
        disk_ = std::make_unique<FaultyDisk>(*inner_);
        break;
    }
  }
  Disk& operator*() { return *disk_; }
  Disk* operator->() { return disk_.get(); }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<Disk> inner_;
  std::unique_ptr<Disk> disk_;
};

inline void fill(Buffer& buffer, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  auto* words = reinterpret_cast<std::uint64_t*>(buffer.data());
  for (std::size_t i = 0; i < buffer.size() / sizeof *words; ++i) words[i] = random();
}

inline bool same(const Buffer& a, const Buffer& b) { return std::ranges::equal(a.all(), b.all()); }

}  // namespace spillway
