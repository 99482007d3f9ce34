// What the machine has and what this process takes of it.
#pragma once

#include <cstdint>
#include <string>

namespace spillway {

// The smaller of the physical memory and the limits of the control groups (version 1 and 2) above this
// process.
std::uint64_t memory_limit_bytes();

// Memory this process holds now, and the most it has held.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

// What is freed on the heap goes back to the system if it is large, and threads share what is small: the process takes
// little more than what it uses.  To be called before there are other threads.
void keep_heap_small();

// Processors this process may run on.
unsigned allowed_processors();

// The memory limit as the files below `root` (normally "/") describe it; 0 where there is none.  Apart
// from memory_limit_bytes() for tests.
std::uint64_t cgroup_limit_bytes(const std::string& root);

}  // namespace spillway
