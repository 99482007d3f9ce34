// Packed bytes, and the numbers among them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace spillway {

using Bytes = std::span<const std::uint8_t>;  // that somebody else owns

// A number of 32 bits, at any address.  REQUIRES: the number is below 2^32.
inline constexpr std::size_t kU32Bytes = sizeof(std::uint32_t);
inline void put_u32(std::uint8_t* out, std::size_t number) {
  const auto n = static_cast<std::uint32_t>(number);
  std::memcpy(out, &n, kU32Bytes);
}
inline std::size_t get_u32(const std::uint8_t* in) {
  std::uint32_t n = 0;
  std::memcpy(&n, in, kU32Bytes);
  return n;
}

}  // namespace spillway
