// A key of a perfect hash: 128 bits of its hash.
//
// Keys whose 128 bits are equal cannot be told apart.  Whoever builds a perfect hash sees that and
// takes another seed.
#pragma once

#include <cstdint>

#include "base/hash/hash.h"
#include "base/state.h"

namespace spillway {

struct HashKey {
  std::uint64_t place;  // chooses the part, and the bucket in it
  std::uint64_t slot;   // chooses the slot in the part
};

HashKey hash_key(State key, std::uint64_t seed);

// Where a key lies among `parts` parts: the part, and how far in it as a fraction of 2^64.  Keys in
// the order of their places are in the order of parts, and within each in that of fractions.
struct PartPlace {
  std::uint64_t part;
  std::uint64_t within;
};
inline PartPlace part_place(HashKey key, std::uint64_t parts) {
  const Wide product = static_cast<Wide>(key.place) * parts;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace spillway
