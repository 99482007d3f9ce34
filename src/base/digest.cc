#include "base/digest.h"

#include <fmt/format.h>

#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {

static_assert(std::endian::native == std::endian::little, "digests are defined over little-endian rows");

void Digest::add(State state) {
  const XXH128_hash_t h = XXH3_128bits(state.data(), state.size_bytes());
  low_ += h.low64;
  high_ += h.high64 + (low_ < h.low64 ? 1 : 0);
}

void Digest::add(const Digest& other) {
  low_ += other.low_;
  high_ += other.high_ + (low_ < other.low_ ? 1 : 0);
}

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace spillway
