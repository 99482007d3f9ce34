// Hashes of rows for everything but places in tables: XXH3 over the whole row, with a seed of its own for each use.
//
// Two rows that are alike to one use or seed are, as far as anybody knows, no more likely to be alike to another.
// Tables have place_hash(), which is faster and has no seed.
#pragma once

#include <cstdint>

#include "base/state.h"

namespace spillway {

enum class HashUse : std::uint64_t { partition = 1, share, count, signature };

// `seed` chooses among functions for the same use.
std::uint64_t row_hash(State row, HashUse use, std::uint64_t seed = 0);

}  // namespace spillway
