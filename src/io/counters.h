// What has gone to and come from a disk, counted where the system call has returned.
#pragma once

#include <atomic>
#include <cstdint>

namespace spillway {

struct IoCounters {
  using Count = std::atomic<std::uint64_t>;

  Count reads{0}, read_bytes{0};      // transfers asked for, bytes that arrived
  Count writes{0}, written_bytes{0};  // likewise
  Count retries{0};                   // attempts that were interrupted or moved only a part
  Count syncs{0};
  Count created{0}, removed{0};  // files

  static void add(Count& count, std::uint64_t n) { count.fetch_add(n, std::memory_order_relaxed); }
};

}  // namespace spillway
