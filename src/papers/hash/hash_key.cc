#include "papers/hash/hash_key.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {

HashKey hash_key(State key, std::uint64_t seed) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size_bytes(), scatter(seed));
  return {hash.high64, hash.low64};
}

}  // namespace spillway
