// Decides how much memory a command may use.
#pragma once

#include <cstdint>

#include "cli/options/options.h"

namespace spillway {

// The limit for the whole process: --memory, or 70% of what there is.
std::uint64_t memory_bytes(const CommandSettings& settings);
// The least --memory for a search that needs a budget of `least`, in a process that has taken so
// much. It is the same for all processes of a command, but for a chance that a large model takes
// just what lies between two steps of 4 MiB.  A process may take up to 2 MiB more than it counts
// for.
std::uint64_t least_memory_bytes(std::uint64_t taken, std::uint64_t least);
// The memory budget of a search: `memory_bytes` minus what the process has already taken and will
// take for threads, and minus `to_come`; at least `least`.  Throws Error(usage) if `memory_bytes`
// is less than the least. `spare` is left besides, where there is more than the least.
std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads = 1,
                            std::uint64_t least = 0, std::uint64_t to_come = 0,
                            std::uint64_t spare = 0);

// What searches for accepting cycles take besides: code that is executed for the first time, and
// pieces of the heap that the search before has left.  Measured.
inline constexpr std::uint64_t kOfCycleSearch = std::uint64_t{3} << 20;

}  // namespace spillway
