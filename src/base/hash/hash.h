// Hashes of rows for tables.  They are private to a search and may change; digest.h has the public
// hash, which never does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/state.h"

namespace spillway {

__extension__ using Wide = unsigned __int128;

// The slot for `hash` in a table of `places` slots.  Slots are in the order of the hashes.
inline std::size_t place_of(std::uint64_t hash, std::size_t places) {
  return static_cast<std::size_t>(static_cast<Wide>(hash) * places >> 64);
}

// A bijection of 64-bit words that spreads its input over all bits.  As a bijection it never makes
// two one-word states collide.
inline std::uint64_t scatter(std::uint64_t x) {
  x *= 0x9e3779b97f4a7c15u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 29;
  return x;
}

// 64-bit hash of a row, for its slot in a table.
inline std::uint64_t place_hash(const Word* row, std::size_t words) {
  std::uint64_t h = scatter(row[0]);
  for (std::size_t i = 1; i < words; ++i) h = scatter(h + row[i]);
  return h;
}

}  // namespace spillway
