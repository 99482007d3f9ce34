// Fingerprint of a set of states, for comparing the results of two searches.
//
// D = sum over the states of XXH3-128(row as little-endian bytes), modulo 2^128.  A sum does not
// depend on the order, and unlike an exclusive or it does not cancel a state that is counted twice.
// No search stores states by this hash, so a collision in a table changes D.
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
  // std::nullopt if `digits` is not a result of hex().
  static std::optional<Digest> from_hex(std::string_view digits);

 private:
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
};

}  // namespace spillway
