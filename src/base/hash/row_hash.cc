#include "base/hash/row_hash.h"

#include "base/hash/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {

std::uint64_t row_hash(State row, HashUse use, std::uint64_t seed) {
  // A bijection of the seed, so that two seeds for one use are never the same function.
  const std::uint64_t mixed = scatter(seed ^ scatter(static_cast<std::uint64_t>(use)));
  return XXH3_64bits_withSeed(row.data(), row.size_bytes(), mixed);
}

}  // namespace spillway
