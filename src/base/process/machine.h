// Resources of the machine and their use by this process.
#pragma once

#include <cstdint>
#include <string>

namespace spillway {

// The smaller of the physical memory and the limits of the control groups (versions 1 and 2) that
// this process belongs to.
std::uint64_t memory_limit_bytes();

// Resident memory of this process: now, and at its peak.
std::uint64_t resident_bytes();
std::uint64_t peak_resident_bytes();

// Tunes the heap so that the process holds little more than it uses: large blocks go back to the
// system when freed, and threads share arenas.  REQUIRES: no other thread runs yet.
void keep_heap_small();

// Number of processors this process may run on.
unsigned allowed_processors();

// The control group limit according to the files below `root` (normally "/"); 0 if there is none.
// Separate from memory_limit_bytes() for the sake of tests.
std::uint64_t cgroup_limit_bytes(const std::string& root);

}  // namespace spillway
