// Hashes of rows for every purpose except slots in tables: XXH3 over the entire row, seeded by use.
//
// A collision under one use or seed is assumed to be independent of collisions under another.
// Tables use place_hash(), which is faster and has no seed.
#pragma once

#include <cstdint>

#include "base/state.h"

namespace spillway {

enum class HashUse : std::uint64_t { partition = 1, share, count, signature };

// `seed` selects one of the hash functions for `use`.
std::uint64_t row_hash(State row, HashUse use, std::uint64_t seed = 0);

}  // namespace spillway
