// Fingerprint of a set of states, to compare what two searches have found.
//
// D = sum over the states of XXH3-128(row as little-endian bytes), modulo 2^128.  A sum, because it does
// not depend on the order; not an exclusive or, because that would cancel a state counted twice.  The
// hash is none of those that searches use to store states, so a collision there changes D.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/state.h"

namespace spillway {

class Digest {
 public:
  void add(State state);
  void add(const Digest& other);
  bool operator==(const Digest&) const = default;

  // 32 hexadecimal digits, most significant first.
  std::string hex() const;
  // Nothing: these are not what hex() returns.
  static std::optional<Digest> from_hex(std::string_view digits);

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace spillway
