#include "base/hash/digest.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spillway {

static_assert(std::endian::native == std::endian::little,
              "digests are defined over little-endian rows");

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

std::optional<Digest> Digest::from_hex(std::string_view digits) {
  if (digits.size() != 32) return std::nullopt;
  Digest digest;
  const char* const middle = digits.data() + 16;
  const auto high = std::from_chars(digits.data(), middle, digest.high_, 16);
  const auto low = std::from_chars(middle, middle + 16, digest.low_, 16);
  if (high.ptr != middle || low.ptr != middle + 16 || digest.hex() != digits) return std::nullopt;
  return digest;
}

}  // namespace spillway
