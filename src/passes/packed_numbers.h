// Numbers of seven bits a byte, the lowest first; the highest bit says that more follow.
#pragma once

#include <cstdint>
#include <vector>

namespace spillway {

// Byte: std::uint8_t or std::byte.
template <class Byte>
void put_number(std::vector<Byte>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes.push_back(static_cast<Byte>(number | 0x80));
  bytes.push_back(static_cast<Byte>(number));
}

// Moves `at` to after the number.  REQUIRES: put_number() has made it.
inline std::uint64_t get_number(const std::uint8_t*& at) {
  std::uint64_t number = *at & 0x7f;
  for (unsigned shift = 7; (*at++ & 0x80) != 0; shift += 7)
    number |= std::uint64_t{*at & 0x7fU} << shift;
  return number;
}

// A difference as a number that is small if the difference is: its sign is in the lowest bit.
inline std::uint64_t with_sign(std::uint64_t difference) {
  return difference << 1 ^ (0 - (difference >> 63));
}
inline std::uint64_t without_sign(std::uint64_t number) { return number >> 1 ^ (0 - (number & 1)); }

}  // namespace spillway
