#include "base/process/machine.h"

#include <malloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace spillway {
namespace {

// The number in a file, or 0 where there is no file or no number ("max").
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : 0;
}

std::uint64_t smaller_limit(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

// The smallest number in `file` of the group and all groups above it.
std::uint64_t limit_of_group(const std::string& mount, std::string group, const std::string& file) {
  std::uint64_t limit = 0;
  for (;;) {
    std::string path = mount;
    path += group;
    path += '/';
    path += file;
    limit = smaller_limit(limit, number_in(path));
    const std::size_t slash = group.rfind('/');
    if (group.empty() || slash == std::string::npos) return limit;
    group.resize(slash);
  }
}

bool lists(const std::string& controllers, const std::string& wanted) {
  std::istringstream list(controllers);
  for (std::string name; std::getline(list, name, ',');)
    if (name == wanted) return true;
  return false;
}

}  // namespace

void keep_heap_small() {
#ifdef __GLIBC__
  constexpr int kLarge = 128 << 10;
  mallopt(M_MMAP_THRESHOLD, kLarge);  // unless it is set, it grows with what was freed
  mallopt(M_TRIM_THRESHOLD, kLarge);
  mallopt(M_ARENA_MAX, 2);
#endif
}

std::uint64_t cgroup_limit_bytes(const std::string& root) {
  constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 60;  // version 1 says 2^63 less a page
  std::uint64_t limit = 0;
  std::ifstream groups(root + "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:group
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty())
      limit = smaller_limit(limit, limit_of_group(root + "sys/fs/cgroup", group, "memory.max"));
    else if (lists(controllers, "memory"))
      limit = smaller_limit(
          limit, limit_of_group(root + "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return limit < kUnlimited ? limit : 0;
}

std::uint64_t memory_limit_bytes() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  const auto page_bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return smaller_limit(pages * page_bytes, cgroup_limit_bytes("/"));
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  // Not getrusage(): its maximum includes what the process was before exec().
  std::ifstream file("/proc/self/status");
  std::uint64_t kibibytes = 0;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) kibibytes = std::stoull(line.substr(6));
  return kibibytes * 1024;
}

unsigned allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

}  // namespace spillway
