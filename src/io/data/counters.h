// Traffic to and from a disk, counted when the system calls return.
#pragma once

#include <atomic>
#include <cstdint>

namespace spillway {

struct IoCounters {
  using Count = std::atomic<std::uint64_t>;

  Count reads{0}, read_bytes{0};      // transfers requested, bytes received
  Count writes{0}, written_bytes{0};  // transfers requested, bytes accepted
  Count retries{0};                   // attempts that were interrupted or moved only a part
  Count syncs{0};
  Count created{0}, removed{0};  // files

  static void add(Count& count, std::uint64_t n) { count.fetch_add(n, std::memory_order_relaxed); }
};

}  // namespace spillway
