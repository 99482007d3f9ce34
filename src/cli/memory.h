// How much memory a command may use.
#pragma once

#include <cstdint>

#include "cli/options.h"

namespace spillway {

// The limit for the whole process: --memory, or 70% of what there is.
std::uint64_t memory_bytes(const Settings& settings);
// The memory budget of a search: `memory_bytes` minus what the process has already taken and will
// take for threads, and minus `to_come`.  Throws Error(usage) if less than `least` remains.
std::uint64_t search_budget(std::uint64_t memory_bytes, unsigned threads = 1,
                            std::uint64_t least = 0, std::uint64_t to_come = 0);

}  // namespace spillway
